//! The memory of this process: its sizes, and where its program and libraries are.

use counterpoint::perf::{Host, Map};
use nix::unistd::{SysconfVar, sysconf};

use crate::layout::{AddressMap, ExecutableInfo, HUGE_LEN, MemoryInfo, put};

/// The sizes, in KiB but for that of a page.
pub(crate) fn sizes(host: &Host) -> MemoryInfo {
    let status = host.text("/proc/self/status").unwrap_or_default();
    let of = |key: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
        let size = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        size.unwrap_or(0_i64)
    };
    let statm = host.text("/proc/self/statm").unwrap_or_default();
    let page = sysconf(SysconfVar::PAGE_SIZE).ok().flatten().unwrap_or(4096);
    let shared = statm.split_whitespace().nth(2).and_then(|pages| pages.parse::<i64>().ok());
    [
        of("VmPeak"),
        of("VmSize"),
        of("VmRSS"),
        of("VmHWM"),
        shared.unwrap_or(0) * page / 1024,
        of("VmExe"),
        of("VmLib"),
        of("VmData"),
        of("VmLck"),
        of("VmStk"),
        page,
        of("VmPTE"),
    ]
}

/// The place of the program.
pub(crate) fn executable(host: &Host) -> ExecutableInfo {
    let maps = files(host);
    let path = std::env::current_exe().unwrap_or_default().to_string_lossy().into_owned();
    let own = maps.into_iter().find(|(name, _)| *name == path);
    let mut info = ExecutableInfo {
        fullname: [0; HUGE_LEN],
        address_info: own.map_or_else(empty, |(_, maps)| address_map("", &maps)),
    };
    put(&mut info.fullname, &path);
    put(&mut info.address_info.name, path.rsplit('/').next().unwrap_or(&path));
    info
}

/// The places of its libraries.
pub(crate) fn libraries(host: &Host) -> Vec<AddressMap> {
    let path = std::env::current_exe().unwrap_or_default().to_string_lossy().into_owned();
    let has_code =
        |(name, maps): &(String, Vec<Map>)| *name != path && maps.iter().any(|map| map.execute);
    let libraries = files(host).into_iter().filter(has_code);
    libraries.map(|(name, maps)| address_map(&name, &maps)).collect()
}

fn empty() -> AddressMap {
    AddressMap { name: [0; HUGE_LEN], text: [0; 2], data: [0; 2], bss: [0; 2] }
}

/// The mappings of each file, with those of no file that follow its data: they begin as zeros.
fn files(host: &Host) -> Vec<(String, Vec<Map>)> {
    let mut files: Vec<(String, Vec<Map>)> = Vec::new();
    let Ok(maps) = host.maps(None) else { return files };
    let mut last: Option<(usize, u64)> = None;
    for map in maps.iter() {
        let path = map.path.as_ref().map(|path| path.to_string_lossy().into_owned());
        let place = match path {
            Some(path) if path.starts_with('/') => {
                let known = files.iter().position(|(name, _)| *name == path);
                Some(known.unwrap_or_else(|| {
                    files.push((path, Vec::new()));
                    files.len() - 1
                }))
            }
            Some(_) => None,
            None => last.filter(|(_, end)| *end == map.range.start).map(|(place, _)| place),
        };
        if let Some(place) = place {
            files[place].1.push(map.clone());
        }
        last = place.map(|place| (place, map.range.end));
    }
    files
}

fn address_map(name: &str, maps: &[Map]) -> AddressMap {
    let range = |is_it: &dyn Fn(&Map) -> bool| {
        let found = || maps.iter().filter(|map| is_it(map));
        let start = found().map(|map| map.range.start).min().unwrap_or(0);
        let end = found().map(|map| map.range.end).max().unwrap_or(0);
        [start as usize, end as usize]
    };
    let mut map = AddressMap {
        text: range(&|map| map.execute),
        data: range(&|map| map.write && map.path.is_some()),
        bss: range(&|map| map.write && map.path.is_none()),
        ..empty()
    };
    put(&mut map.name, name);
    map
}
