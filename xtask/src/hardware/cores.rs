//! The kinds of cores of a machine, on each of which its events are counted.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A kind of core.
#[derive(Default)]
pub(super) struct Cores {
    /// The name of its PMU and the list of its CPUs; none where all cores are of one kind.
    pub pmu: Option<String>,
    cpus: Option<String>,
}

impl Cores {
    /// The kinds of cores of a machine whose files are in a folder.
    pub(super) fn kinds(machine: &Path) -> Vec<Cores> {
        let devices = machine.join("sys/bus/event_source/devices");
        // A machine with one kind of core has this PMU, and others may have a file `cpus`, too.
        if devices.join("cpu").exists() {
            return vec![Cores::default()];
        }
        let entries = fs::read_dir(&devices).into_iter().flatten().flatten();
        let cores = entries.filter_map(|device| {
            let cpus = fs::read_to_string(device.path().join("cpus")).ok()?;
            let pmu = device.file_name().to_string_lossy().into_owned();
            Some(Cores { pmu: Some(pmu), cpus: Some(cpus.trim().to_owned()) })
        });
        let mut cores: Vec<Cores> = cores.collect();
        cores.sort_by(|one, other| one.pmu.cmp(&other.pmu));
        if cores.len() > 1 { cores } else { vec![Cores::default()] }
    }

    /// A command that runs on these cores alone.
    pub(super) fn command(&self, program: &Path) -> Command {
        let Some(cpus) = &self.cpus else { return Command::new(program) };
        let mut command = Command::new("taskset");
        command.args(["-c", cpus]).arg(program);
        command
    }
}

#[test]
fn recorded_machines_have_their_kinds_of_cores() {
    let names = |machine: &str| -> Vec<Option<String>> {
        let cores = Cores::kinds(&crate::project::root().join("fixtures/machines").join(machine));
        cores.into_iter().map(|cores| cores.pmu).collect()
    };
    let some = |names: &[&str]| names.iter().map(|name| Some((*name).to_owned())).collect();
    let all: Vec<_> = some(&["cpu_atom", "cpu_core"]);
    assert_eq!(names("intel-hybrid"), all);
    let all: Vec<_> = some(&["armv9_cortex_a510", "armv9_cortex_a710", "armv9_cortex_x2"]);
    assert_eq!(names("arm-big-little"), all);
    assert_eq!([names("amd-zen4"), names("arm-neoverse")], [[None], [None]]);
}

#[test]
fn a_command_runs_on_its_cores_alone() {
    let command = |cpus: Option<&str>| {
        let cores = Cores { pmu: None, cpus: cpus.map(str::to_owned) };
        let output = cores.command(Path::new("nproc")).output().unwrap();
        String::from_utf8_lossy(&output.stdout).trim().parse::<usize>().unwrap()
    };
    assert_eq!(command(Some("0")), 1);
    assert_eq!(command(None), std::thread::available_parallelism().unwrap().get());
}
