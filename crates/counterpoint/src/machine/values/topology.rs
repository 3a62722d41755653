//! CPUs, cores, dies, packages and nodes.
//!
//! perf counts the different lists of CPUs that sysfs shows, and so does this, over the CPUs that are online; without
//! lists, the numbers of cores and packages.

use super::place::{Found, Place, flag};
use crate::counting::target::Target;
use counterpoint_perf::{CpuSet, Host};
use std::collections::{BTreeMap, BTreeSet};

const CPU: &str = "/sys/devices/system/cpu";
const THREADS: [&str; 2] = ["core_cpus_list", "thread_siblings_list"];

/// 1 if a core runs several threads.
pub(crate) fn smt_on(Place { host, .. }: &Place<'_>) -> Found {
    let file = format!("{CPU}/smt/active");
    match host.text(&file).as_deref() {
        Ok("1") => flag(true, file),
        Ok("0") => flag(false, file),
        _ => {
            let (lists, source) = lists(host, &THREADS)
                .ok_or_else(|| format!("{file} and {}", topology(&THREADS)))?;
            flag(lists.iter().any(|cpus| cpus.len() > 1), source)
        }
    }
}

/// 1 if everything that runs on a core is counted, on each core where anything is.
pub(crate) fn core_wide(Place { host, target }: &Place<'_>) -> Found {
    let wanted = match target {
        Target::AllCpus => return flag(true, "the target, which is every CPU"),
        Target::Cpus(cpus) => cpus,
        _ => return flag(false, "the target, which is not CPUs"),
    };
    let (cores, source) = lists(host, &THREADS).ok_or_else(|| topology(&THREADS))?;
    let is_whole = |core: &CpuSet| {
        let counted = core.intersection(wanted).len();
        counted == 0 || counted == core.len()
    };
    flag(cores.iter().all(is_whole), format!("the target and {source}"))
}

/// 1 if CPUs are counted, and not processes.
pub(crate) fn target_cpu(Place { target, .. }: &Place<'_>) -> Found {
    match target {
        Target::AllCpus | Target::Cpus(_) => flag(true, "the target, which is CPUs"),
        _ => flag(false, "the target, which is not CPUs"),
    }
}

pub(crate) fn present(Place { host, .. }: &Place<'_>) -> Found {
    members(host, format!("{CPU}/present"))
}

pub(crate) fn online(Place { host, .. }: &Place<'_>) -> Found {
    members(host, format!("{CPU}/online"))
}

pub(crate) fn nodes(Place { host, .. }: &Place<'_>) -> Found {
    members(host, "/sys/devices/system/node/online".to_string())
}

/// The number of members of a list.
fn members(host: &Host, file: String) -> Found {
    let list: Option<CpuSet> = host.text(&file).ok().and_then(|list| list.parse().ok());
    match list.filter(|list| !list.is_empty()) {
        Some(list) => Ok((list.len() as f64, file)),
        None => Err(file),
    }
}

pub(crate) fn cores(Place { host, .. }: &Place<'_>) -> Found {
    different(host, &THREADS, &["core_id", "physical_package_id"], Some)
}

pub(crate) fn packages(Place { host, .. }: &Place<'_>) -> Found {
    let lists = ["package_cpus_list", "core_siblings_list"];
    different(host, &lists, &["physical_package_id"], |(_, package)| Some((0, package)))
}

pub(crate) fn dies(Place { host, .. }: &Place<'_>) -> Found {
    different(host, &["die_cpus_list"], &[], |_| None)
}

/// The number of different lists, or else of different numbers of core and package.
fn different(
    host: &Host,
    files: &[&str],
    numbers: &[&str],
    of: impl Fn((u32, u32)) -> Option<(u32, u32)>,
) -> Found {
    if let Some((lists, source)) = lists(host, files) {
        let lists: BTreeSet<String> = lists.iter().map(ToString::to_string).collect();
        return Ok((lists.len() as f64, source));
    }
    let known = |cpu: u32| of(host.core_and_socket(cpu)?);
    let known: Option<BTreeSet<(u32, u32)>> = host.online_cpus().iter().map(known).collect();
    match known.filter(|known| !known.is_empty()) {
        Some(known) => Ok((known.len() as f64, topology(numbers))),
        None => Err(topology(&[files, numbers].concat())),
    }
}

/// The most threads that a core runs.
pub(crate) fn threads_per_core(Place { host, .. }: &Place<'_>) -> Found {
    let (lists, source) = lists(host, &THREADS).ok_or_else(|| topology(&THREADS))?;
    Ok((lists.iter().map(CpuSet::len).max().unwrap_or(1) as f64, source))
}

/// The cores of each package, if all have as many.
pub(crate) fn cores_per_package(Place { host, .. }: &Place<'_>) -> Found {
    let files = [&THREADS[..], &["physical_package_id"]].concat();
    let unknown = || topology(&files);
    let (threads, source) = lists(host, &THREADS).ok_or_else(unknown)?;
    let mut cores = BTreeMap::<u32, BTreeSet<String>>::new();
    for (cpu, threads) in host.online_cpus().iter().zip(threads) {
        let (_, package) = host.core_and_socket(cpu).ok_or_else(unknown)?;
        cores.entry(package).or_default().insert(threads.to_string());
    }
    let numbers: BTreeSet<usize> = cores.values().map(BTreeSet::len).collect();
    match numbers.first() {
        Some(number) if numbers.len() == 1 => {
            Ok((*number as f64, format!("{source} and physical_package_id")))
        }
        _ => Err(format!("{}, where packages have different numbers of cores", unknown())),
    }
}

/// The list of each CPU that is online, from the first of these files that all of them have, and its name.
fn lists(host: &Host, files: &[&str]) -> Option<(Vec<CpuSet>, String)> {
    let online = host.online_cpus();
    let of = |file: &&str| -> Option<(Vec<CpuSet>, String)> {
        let list =
            |cpu| host.text(format!("{CPU}/cpu{cpu}/topology/{file}")).ok()?.parse::<CpuSet>().ok();
        let lists: Option<Vec<CpuSet>> = online.iter().map(list).collect();
        let is_whole =
            |lists: &Vec<CpuSet>| !lists.is_empty() && lists.iter().all(|list| !list.is_empty());
        Some((lists.filter(is_whole)?, topology(&[file])))
    };
    files.iter().find_map(of)
}

/// These files of every CPU that is online.
fn topology(files: &[&str]) -> String {
    format!("{CPU}/cpu*/topology/{}", files.join(" and "))
}
