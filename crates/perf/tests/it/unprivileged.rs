use crate::support::{PAGE_FAULTS, TASK_CLOCK, burn, software};
use counterpoint_fixtures::{alone, is_alone, run_alone, touch};
use counterpoint_perf::{Attr, Cause, Errno, Host, OpenError, Placement, Setup, pmu_type};
use std::path::PathBuf;
use std::process::Command;

const NOBODY: [&str; 6] = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"];

#[test]
fn a_user_without_privileges_counts_in_user_space() {
    let test = "unprivileged::a_user_without_privileges_counts_in_user_space";
    let access = Host::local().access();
    if is_alone(test) {
        counts_in_user_space();
    } else if !access.is_privileged() {
        run_alone(&alone(&[], &std::env::current_exe().unwrap(), test));
    } else if access.euid != Some(0) {
        println!("skipped: this user has capabilities, and is not root to give them away");
    } else if !Command::new(NOBODY[0])
        .args(&NOBODY[1..])
        .arg("true")
        .output()
        .is_ok_and(|output| output.status.success())
    {
        println!("skipped: there is no setpriv that becomes another user");
    } else {
        // The other user need not be able to reach the directory that this program was built in.
        let copy = Copy::of_this_program();
        run_alone(&alone(&NOBODY, &copy.0, test));
    }
}

/// A copy of this program in the directory for temporary files, removed when dropped.
struct Copy(PathBuf);

impl Copy {
    fn of_this_program() -> Copy {
        let name = format!("counterpoint-perf-it-{}", std::process::id());
        let copy = Copy(std::env::temp_dir().join(name));
        std::fs::copy(std::env::current_exe().unwrap(), &copy.0).unwrap();
        copy
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn counts_in_user_space() {
    let host = Host::local();
    let access = host.access();
    let Some(paranoid) = access.paranoid else {
        println!("skipped: this machine hides kernel.perf_event_paranoid");
        return;
    };
    if access.is_filtered() {
        println!("skipped: a seccomp filter decides here");
        return;
    }
    assert!(!access.is_privileged());
    let refusal =
        |attr: &Attr, placement| -> OpenError { host.probe(attr, &placement).unwrap_err() };
    let permission = |needed| Cause::Permission { paranoid: Some(paranoid), needed: Some(needed) };
    if paranoid >= 3 {
        let error = refusal(&software(TASK_CLOCK).user_only(), Placement::ThisThread);
        assert_eq!(error.cause, permission(2));
        return;
    }

    let events = [software(TASK_CLOCK).user_only(), software(PAGE_FAULTS).user_only()];
    let mut group = host.open(&events, Placement::ThisThread, Setup::default()).unwrap();
    burn();
    touch(64);
    let counts = group.read().unwrap();
    assert!(counts[0].raw > 0 && counts[1].raw >= 64, "{counts:?}");
    assert!(counts.iter().all(|count| count.running == count.enabled));

    if paranoid >= 2 {
        let error = refusal(&software(TASK_CLOCK), Placement::ThisThread);
        assert_eq!((error.errno, error.cause), (Errno::EACCES, permission(1)));
    }
    if paranoid >= 1 {
        let error = refusal(&software(0).user_only(), Placement::Cpu(0));
        assert_eq!((error.errno, error.cause), (Errno::EACCES, permission(0)));
    }
    if access.core_pmus.is_empty() {
        let error = refusal(&Attr::new(pmu_type::HARDWARE, 0), Placement::ThisThread);
        assert_eq!((error.errno, error.cause), (Errno::ENOENT, Cause::NoHardwarePmu));
    }
    println!("counted as user {:?} at level {paranoid}", access.euid);
}
