//! The emulated machine, and what runs in it.

use super::apt::{Apt, write};
use super::cache::fetched;
use super::host::{host_architecture, host_triple, suite, suites};
use super::machines::{Kernel, Machine};
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The number of seconds after which a machine that hangs is terminated; where nothing else runs, each needs less than 900.
const TIME_LIMIT: &str = "3600";
/// Of every run.
const TEST_VARIABLES: [(&str, &str); 3] = [
    ("RUST_BACKTRACE", "1"),
    ("PROPTEST_CASES", "16"),
    ("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1"),
];
/// The prefix of the machine's own lines among the output of the tests.
const MARK: &str = "=vm=";

/// An emulator, and a kernel where there is one.
pub(super) struct Guest {
    machine: &'static Machine,
    folder: PathBuf,
}

/// A program for the guest.
pub(super) struct Run {
    pub(super) name: String,
    /// Its path in the guest, which other programs know.
    pub(super) program: PathBuf,
    /// The file here.
    pub(super) from: PathBuf,
    /// The folder of its package, where cargo runs its tests.
    pub(super) package: PathBuf,
    /// `None` for a program that is only present for others to start.
    pub(super) arguments: Option<Vec<String>>,
    /// The exit statuses with which it has passed.
    pub(super) passes: &'static [&'static str],
}

/// What came of the runs.
#[derive(Default)]
pub(super) struct Outcome {
    /// The names of those that failed.
    pub(super) failed: Vec<String>,
    /// The lines that are objects of JSON.
    pub(super) json: String,
}

impl Outcome {
    fn ended(&mut self, run: &Run, status: &str) {
        let has_passed = run.passes.contains(&status);
        println!("==> {}: {}", run.name, if has_passed { "passed" } else { "FAILED" });
        if !has_passed {
            self.failed.push(run.name.clone());
        }
    }
}

impl Guest {
    pub(super) fn prepare(cache: &Path, machine: &'static Machine) -> Result<Guest, String> {
        let name = format!("{}-guest", machine.name);
        let folder = fetched(cache, &name, |apt, into| fetch(machine, apt, into))?;
        Ok(Guest { machine, folder })
    }

    /// Runs the programs one after the other.
    ///
    /// The files of `folders` have the same paths in the guest as here.
    pub(super) fn run(&self, runs: &[Run], folders: &[PathBuf]) -> Result<Outcome, String> {
        match &self.machine.kernel {
            Some(kernel) => self.run_over(kernel, runs, folders),
            None => self.run_here(runs),
        }
    }

    /// Emulates the programs, over the kernel of this system.
    fn run_here(&self, runs: &[Run]) -> Result<Outcome, String> {
        println!(
            "skipped: counters of {}, of which no archive has a kernel: its programs are emulated over the kernel of this system",
            self.machine.name
        );
        let mut outcome = Outcome::default();
        for run in runs {
            let Some(arguments) = &run.arguments else { continue };
            let status = self
                .emulator()?
                .arg(&run.from)
                .args(arguments)
                .envs(TEST_VARIABLES.iter().copied())
                .current_dir(&run.package)
                .status()
                .map_err(|error| format!("{}: {error}", self.machine.emulator))?;
            // The status of a program that a signal has ended is that of no run that has passed.
            let status = status.code().map_or(String::new(), |code| code.to_string());
            outcome.ended(run, &status);
        }
        Ok(outcome)
    }

    fn run_over(
        &self,
        kernel: &Kernel,
        runs: &[Run],
        folders: &[PathBuf],
    ) -> Result<Outcome, String> {
        let archive = self.folder.join("initrd");
        let mut cpio = Cpio::default();
        for folder in ["dev", "proc", "sys", "tmp", "bin"] {
            cpio.folder(Path::new(folder));
        }
        cpio.device("dev/console", 5, 1);
        cpio.device("dev/null", 1, 3);
        cpio.file(Path::new("bin/busybox"), &self.folder.join("busybox"))?;
        cpio.bytes("init", 0o100_755, init(runs).as_bytes());
        for run in runs {
            cpio.file(&run.program, &run.from)?;
            cpio.folder(run.package.strip_prefix("/").unwrap_or(&run.package));
        }
        for folder in folders {
            cpio.tree(folder)?;
        }
        write(&archive, &cpio.finish())?;
        let mut machine = self.boot(kernel, &archive)?;
        let outcome = follow(&mut machine, runs);
        let _ = machine.kill();
        let _ = machine.wait();
        outcome
    }

    /// The emulator with the arguments of the machine.
    fn emulator(&self) -> Result<Command, String> {
        let folder = self.folder.display();
        let host = host_triple()?;
        let Machine { emulator, arguments, .. } = self.machine;
        let mut command = Command::new("timeout");
        command
            .args(["-k", "3", TIME_LIMIT])
            .arg(self.folder.join("qemu/usr/bin").join(emulator))
            .env(
                "LD_LIBRARY_PATH",
                format!("{folder}/qemu/usr/lib/{host}:{folder}/qemu/lib/{host}"),
            )
            .args(arguments.split(' '));
        Ok(command)
    }

    fn boot(&self, kernel: &Kernel, archive: &Path) -> Result<Child, String> {
        let console = kernel.console;
        let mut command = self.emulator()?;
        command
            .args(["-m", "4096", "-nodefaults", "-display", "none"])
            .args(["-serial", "stdio", "-monitor", "none", "-no-reboot"])
            .arg("-L")
            .arg(self.folder.join("qemu/usr/share/qemu"))
            .args(["-L", "/usr/share/qemu", "-kernel"])
            .arg(self.folder.join("kernel"))
            .arg("-initrd")
            .arg(archive)
            .arg("-append")
            .arg(format!("console={console} loglevel=1 panic=-1 cryptomgr.notests=1 nokaslr"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        command.spawn().map_err(|error| format!("{}: {error}", self.machine.emulator))
    }
}

/// Prints the output of the programs, except for JSON.
fn follow(machine: &mut Child, runs: &[Run]) -> Result<Outcome, String> {
    let stdout = machine.stdout.take().ok_or("the machine has no console")?;
    let mut waiting: Vec<&str> =
        runs.iter().filter(|run| run.arguments.is_some()).map(|run| run.name.as_str()).collect();
    let mut outcome = Outcome::default();
    for line in BufReader::new(stdout).split(b'\n') {
        let line = line.map_err(|error| format!("the console: {error}"))?;
        let line = String::from_utf8_lossy(&line);
        match line.trim_end().strip_prefix(MARK).and_then(|mark| mark.rsplit_once(' ')) {
            Some((name, status)) => {
                waiting.retain(|waiting| *waiting != name);
                if let Some(run) = runs.iter().find(|run| run.name == name) {
                    outcome.ended(run, status);
                }
            }
            None if line.starts_with('{') && line.trim_end().ends_with('}') => {
                outcome.json += &line;
                outcome.json.push('\n');
            }
            None => println!("{}", line.trim_end()),
        }
    }
    if waiting.is_empty() {
        Ok(outcome)
    } else {
        Err(format!("the machine stopped before the end of {}", waiting.join(", ")))
    }
}

/// The init program of the machine: mounts the file systems that tests need, runs them, and powers off.
fn init(runs: &[Run]) -> String {
    let mut text = "#!/bin/busybox sh\n\
        b=/bin/busybox\n\
        $b mount -t proc proc /proc; $b mount -t sysfs sys /sys; $b mount -t devtmpfs dev /dev\n\
        $b mount -t tracefs trace /sys/kernel/tracing; $b mount -t cgroup2 cgroup /sys/fs/cgroup\n\
        $b mkdir -p /dev/shm; $b mount -t tmpfs tmp /dev/shm\n\
        $b --install -s /bin; $b ip link set lo up\n\
        exec </dev/null >/dev/console 2>&1; $b stty -opost -echo </dev/console\n\
        export PATH=/bin HOME=/tmp TMPDIR=/tmp RUST_TEST_THREADS=1 COUNTERPOINT_HARDWARE=1; cd /tmp\n\
        user=/proc/sys/kernel/perf_user_access; [ ! -e $user ] || echo 1 >$user\n\
        $b dmesg | $b grep -iE 'perfevents|pmu|performance monitor'\n"
        .to_owned();
    for (name, value) in TEST_VARIABLES {
        text += &format!("export {name}={value}\n");
    }
    for run in runs {
        let Some(arguments) = &run.arguments else { continue };
        let words: Vec<String> = arguments.iter().map(|word| quoted(word)).collect();
        text += &format!(
            "echo; cd {} && {} {}; echo {} $?\n",
            quoted(&run.package.to_string_lossy()),
            quoted(&run.program.to_string_lossy()),
            words.join(" "),
            quoted(&format!("{MARK}{}", run.name))
        );
    }
    text + "$b poweroff -f\n"
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

fn fetch(machine: &Machine, apt: &Path, into: &Path) -> Result<(), String> {
    let mut releases = suites()?;
    if machine.needs_backports {
        releases.push(format!("{}-backports", suite()?));
    }
    let host = Apt::new(&apt.join("host"), &host_architecture()?, &releases, true)?;
    let packages: Vec<String> = machine.packages.iter().map(|name| (*name).to_owned()).collect();
    host.unpack_with_needs(&packages, &into.join("qemu"))?;
    let program = Path::new("usr/bin").join(machine.emulator);
    let own = into.join("qemu").join(&program);
    if !own.exists() {
        // Packages already installed on this system were not downloaded.
        fs::create_dir_all(into.join("qemu/usr/bin")).map_err(|error| format!("qemu: {error}"))?;
        fs::copy(Path::new("/").join(program), own)
            .map_err(|error| format!("{}: {error}", machine.emulator))?;
    }
    match &machine.kernel {
        Some(kernel) => fetch_kernel(machine.debian, kernel, apt, into),
        None => Ok(()),
    }
}

fn fetch_kernel(debian: &str, kernel: &Kernel, apt: &Path, into: &Path) -> Result<(), String> {
    let release = kernel.release.map_or_else(suite, |release| Ok(release.to_owned()))?;
    let guest = Apt::new(&apt.join("guest"), debian, &[release], false)?;
    let kernel = guest.behind(kernel.package, "linux-image-")?;
    let files = into.join("files");
    guest.unpack(&[kernel], &files, &["./boot/vmlinu*"])?;
    guest.unpack(&["busybox-static".to_owned()], &files, &["*bin/busybox"])?;
    take(&files, "vmlinu", &into.join("kernel"))?;
    take(&files, "busybox", &into.join("busybox"))?;
    let _ = fs::remove_dir_all(&files);
    Ok(())
}

/// Moves the only file in a folder whose name begins with `prefix`.
fn take(folder: &Path, prefix: &str, to: &Path) -> Result<(), String> {
    let mut found = Vec::new();
    walk(folder, &mut found)?;
    let named = |path: &&PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix))
    };
    let file = found.iter().find(named).ok_or_else(|| format!("no {prefix}… was unpacked"))?;
    fs::rename(file, to).map_err(|error| format!("{}: {error}", to.display()))
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
        if path.is_dir() && !path.is_symlink() {
            walk(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// An archive that the kernel unpacks into its initial file system (`cpio(5)`, the "new ASCII" format).
#[derive(Default)]
struct Cpio {
    bytes: Vec<u8>,
    folders: BTreeSet<PathBuf>,
    number: u32,
}

impl Cpio {
    /// Adds a file of this machine, under a name in the guest.
    fn file(&mut self, name: &Path, from: &Path) -> Result<(), String> {
        let name = name.strip_prefix("/").unwrap_or(name);
        name.parent().into_iter().for_each(|folder| self.folder(folder));
        let bytes = fs::read(from).map_err(|error| format!("{}: {error}", from.display()))?;
        let mode = fs::metadata(from).map_err(|error| format!("{}: {error}", from.display()))?;
        let mode = 0o100_000 | mode.permissions().mode() & 0o777;
        self.bytes(&name.to_string_lossy(), mode, &bytes);
        Ok(())
    }

    /// Adds all files of a folder, under the same paths.
    fn tree(&mut self, folder: &Path) -> Result<(), String> {
        let mut files = Vec::new();
        walk(folder, &mut files)?;
        files.iter().filter(|file| file.is_file()).try_for_each(|file| self.file(file, file))
    }

    /// Adds a folder and its parents.
    fn folder(&mut self, name: &Path) {
        let missing: Vec<&Path> = name
            .ancestors()
            .filter(|folder| *folder != Path::new("") && !self.folders.contains(*folder))
            .collect();
        for folder in missing.into_iter().rev() {
            self.folders.insert(folder.to_path_buf());
            self.bytes(&folder.to_string_lossy(), 0o040_755, &[]);
        }
    }

    fn device(&mut self, name: &str, major: u32, minor: u32) {
        self.record(name, 0o020_666, &[], (major, minor));
    }

    fn bytes(&mut self, name: &str, mode: u32, content: &[u8]) {
        self.record(name, mode, content, (0, 0));
    }

    fn record(&mut self, name: &str, mode: u32, content: &[u8], device: (u32, u32)) {
        self.number += 1;
        let size = content.len() as u32;
        let fields = [
            self.number,
            mode,
            0,
            0,
            1,
            0,
            size,
            0,
            0,
            device.0,
            device.1,
            name.len() as u32 + 1,
            0,
        ];
        self.bytes.extend(b"070701");
        for field in fields {
            self.bytes.extend(format!("{field:08X}").bytes());
        }
        self.bytes.extend(name.bytes().chain([0]));
        self.pad();
        self.bytes.extend(content);
        self.pad();
    }

    fn pad(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }

    fn finish(mut self) -> Vec<u8> {
        self.bytes("TRAILER!!!", 0, &[]);
        self.bytes
    }
}
