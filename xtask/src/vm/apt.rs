//! Packages of Debian, downloaded and unpacked without being installed.

use super::host::{output, suite};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A separate apt with the system's mirrors, which only downloads.
pub(super) struct Apt {
    root: PathBuf,
}

impl Apt {
    /// Reads the package lists of `suites` for an architecture; of each package the newest version counts.
    ///
    /// Without `installed`, every dependency counts as missing; with it, those installed on this system do not.
    pub(super) fn new(
        root: &Path,
        architecture: &str,
        suites: &[String],
        installed: bool,
    ) -> Result<Apt, String> {
        let _ = fs::remove_dir_all(root);
        for folder in [
            "etc/apt/apt.conf.d",
            "etc/apt/preferences.d",
            "etc/apt/sources.list.d",
            "var/lib/dpkg",
            "var/lib/apt/lists/partial",
            "var/cache/apt/archives/partial",
        ] {
            fs::create_dir_all(root.join(folder)).map_err(|error| format!("{folder}: {error}"))?;
        }
        let mirrors = mirrors()?;
        // Other suites come from where this system's comes from.
        let own = mirrors.get(&suite()?);
        let mut sources = String::new();
        for suite in suites {
            let is_there = !suite.ends_with("-security");
            if let Some(mirror) = mirrors.get(suite).or(own.filter(|_| is_there)) {
                sources += &format!("deb [arch={architecture}] {mirror} {suite} main\n");
            }
        }
        if sources.is_empty() {
            return Err(format!("apt has no mirror for {}", suites.join(", ")));
        }
        let status = if installed {
            fs::read("/var/lib/dpkg/status").unwrap_or_default()
        } else {
            Vec::new()
        };
        let apt = Apt { root: root.to_path_buf() };
        let configuration = format!(
            "Dir \"{root}\";\nDir::State::status \"{root}/var/lib/dpkg/status\";\n\
             Dir::Etc::Trusted \"/etc/apt/trusted.gpg\";\n\
             Dir::Etc::TrustedParts \"/etc/apt/trusted.gpg.d\";\n\
             APT::Architecture \"{architecture}\";\nAPT::Architectures {{ \"{architecture}\"; }};\n\
             APT::Sandbox::User \"\";\nAPT::Install-Recommends \"false\";\n\
             Acquire::Languages \"none\";\nAcquire::Retries \"3\";\n\
             Binary::apt-get::quiet \"2\";\n",
            root = root.display()
        );
        write(&apt.root.join("etc/apt/sources.list"), sources.as_bytes())?;
        write(&apt.root.join("var/lib/dpkg/status"), &status)?;
        // Otherwise apt takes nothing from them by itself.
        let pins = "Package: *\nPin: release n=*-backports\nPin-Priority: 500\n";
        write(&apt.root.join("etc/apt/preferences"), pins.as_bytes())?;
        write(&apt.root.join("apt.conf"), configuration.as_bytes())?;
        output(apt.get().args(["-o", "APT::Update::Error-Mode=any", "update"]))?;
        Ok(apt)
    }

    /// The package that a metapackage depends on, such as the newest kernel.
    pub(super) fn behind(&self, package: &str, prefix: &str) -> Result<String, String> {
        let mut command = Command::new("apt-cache");
        command.env("APT_CONFIG", self.root.join("apt.conf")).args(["depends", package]);
        let list = output(&mut command)?;
        let mut words = list.split_whitespace().filter(|word| word.starts_with(prefix));
        let found = words.find(|word| *word != package);
        found
            .map(str::to_owned)
            .ok_or_else(|| format!("{package} does not depend on any {prefix}…"))
    }

    /// Unpacks packages and their missing dependencies into a folder.
    pub(super) fn unpack_with_needs(&self, packages: &[String], into: &Path) -> Result<(), String> {
        output(self.get().args(["-y", "-d", "install"]).args(packages))?;
        self.unpack_all(&self.root.join("var/cache/apt/archives"), into, &[])
    }

    /// Unpacks packages without dependencies into a folder; if `only` is not empty, only the files that match it.
    pub(super) fn unpack(
        &self,
        packages: &[String],
        into: &Path,
        only: &[&str],
    ) -> Result<(), String> {
        let folder = self.root.join("downloaded");
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        output(self.get().arg("download").args(packages).current_dir(&folder))?;
        self.unpack_all(&folder, into, only)
    }

    fn unpack_all(&self, folder: &Path, into: &Path, only: &[&str]) -> Result<(), String> {
        fs::create_dir_all(into).map_err(|error| format!("{}: {error}", into.display()))?;
        let files =
            fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for file in files.filter_map(|file| Some(file.ok()?.path())) {
            if file.extension().is_none_or(|extension| extension != "deb") {
                continue;
            }
            unpack(&file, into, only)?;
            fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        }
        Ok(())
    }

    fn get(&self) -> Command {
        let mut command = Command::new("apt-get");
        command.env("APT_CONFIG", self.root.join("apt.conf"));
        command
    }
}

/// The mirror of each suite, as configured for the system's own apt.
fn mirrors() -> Result<BTreeMap<String, String>, String> {
    let mut command = Command::new("apt-get");
    command.args(["indextargets", "--format", "$(RELEASE) $(REPO_URI)", "Identifier: Packages"]);
    let lines = output(&mut command).map_err(|error| {
        format!("{error}\nthis verb needs Debian or a derivative, with a mirror configured for apt")
    })?;
    let pair = |line: &str| line.split_once(' ').map(|(a, b)| (a.to_owned(), b.to_owned()));
    Ok(lines.lines().filter_map(pair).collect())
}

/// Unpacking a whole package would take most of the time if only an image is needed from it.
fn unpack(package: &Path, into: &Path, only: &[&str]) -> Result<(), String> {
    if only.is_empty() {
        output(Command::new("dpkg-deb").arg("-x").arg(package).arg(into))?;
        return Ok(());
    }
    let mut list = Command::new("dpkg-deb")
        .arg("--fsys-tarfile")
        .arg(package)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .map_err(|error| format!("dpkg-deb: {error}"))?;
    let mut tar = Command::new("tar");
    tar.args(["-x", "-C"]).arg(into).arg("--wildcards").args(only);
    if let Some(stdout) = list.stdout.take() {
        tar.stdin(stdout);
    }
    output(&mut tar)?;
    list.wait().map_err(|error| format!("dpkg-deb: {error}"))?;
    Ok(())
}

pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}
