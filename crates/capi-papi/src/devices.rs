//! The devices of the machine, as the component `sysdetect` describes them: its processor. Others are not looked for.

use counterpoint::perf::Host;
use std::ffi::{CStr, CString, c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

use counterpoint_capi::{Lasting, text};

use crate::codes::{EINVAL, ENOSUPP, Failed};
use crate::hardware;
use crate::layout::{CacheInfo, HardwareInfo};

/// The kinds of devices by their numbers: the name of the vendor if it is not the processor's, and the state.
const KINDS: [(&CStr, &CStr); 3] = [
    (c"", c"Device Initialized"),
    (c"NVIDIA", c"CUDA not configured, no CUDA device available"),
    (c"AMD/ATI", c"ROCm not configured, no ROCm device available"),
];

/// The things that handles point to: the place is the number.
static HANDLES: [u8; KINDS.len()] = [0; KINDS.len()];

/// A value of an attribute.
#[derive(Debug)]
pub(crate) enum Value {
    Number(c_int),
    Text(&'static CStr),
}

/// The processor, with its C strings.
#[derive(Debug)]
struct Processor {
    info: HardwareInfo,
    vendor: CString,
    model: CString,
}

fn processor() -> &'static Processor {
    static PROCESSOR: Lasting<Processor> = Lasting::new();
    PROCESSOR.get_or_make(|| {
        let info = hardware::read(&Host::local());
        let string = |bytes: &[u8]| text::owned(&String::from_utf8_lossy(bytes));
        Processor { vendor: string(&info.vendor_string), model: string(&info.model_string), info }
    })
}

/// The next kind of device among those whose bits are set; 0 begins again.
pub(crate) fn next(modifier: c_int) -> Result<*mut c_void, Failed> {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    if modifier == 0 {
        NEXT.store(0, Ordering::Relaxed);
    }
    let from = NEXT.load(Ordering::Relaxed);
    let is_wanted = |kind: &usize| modifier == 0 || modifier >> kind & 1 != 0;
    let Some(kind) = (from..KINDS.len()).find(is_wanted) else {
        NEXT.store(0, Ordering::Relaxed);
        return Err(EINVAL);
    };
    if modifier != 0 {
        NEXT.store(kind + 1, Ordering::Relaxed);
    }
    Ok((&raw const HANDLES[kind]).cast_mut().cast())
}

/// The number of a handle; -1 if it is none.
pub(crate) fn number(handle: *mut c_void) -> c_int {
    let is_it = |kind: &usize| std::ptr::eq(&raw const HANDLES[*kind], handle.cast());
    (0..KINDS.len()).find(is_it).map_or(-1, |kind| kind as c_int)
}

/// An attribute of a kind of device.
pub(crate) fn type_attribute(kind: c_int, attribute: c_int) -> Result<Value, Failed> {
    const AMD: c_int = 0x1002;
    const NVIDIA: c_int = 0x10de;
    let (vendor, state) =
        usize::try_from(kind).ok().and_then(|kind| KINDS.get(kind)).ok_or(EINVAL)?;
    Ok(match (attribute, kind) {
        (0, _) => Value::Number(kind),
        (1, 0) => Value::Number(processor().info.vendor),
        (1, 1) => Value::Number(NVIDIA),
        (1, _) => Value::Number(AMD),
        (2, 0) => Value::Text(&processor().vendor),
        (2, _) => Value::Text(vendor),
        (3, _) => Value::Number((kind == 0).into()),
        (4, _) => Value::Text(state),
        _ => return Err(ENOSUPP),
    })
}

/// An attribute of a device: of the processor, or of a thread or a node of it.
pub(crate) fn attribute(kind: c_int, place: c_int, attribute: c_int) -> Result<Value, Failed> {
    if kind != 0 {
        return Err(EINVAL);
    }
    let info = &processor().info;
    let place = u32::try_from(place).map_err(|_| EINVAL)?;
    // The four caches in the order of the attributes.
    let caches = [(0, 1), (0, 2), (1, 3), (2, 3)];
    let of_cache = |first: c_int, of: fn(&CacheInfo) -> c_int| {
        let (level, kind) = caches[(attribute - first) as usize];
        let cache = info.level[level].cache.iter().find(|cache| cache.kind == kind);
        cache.map_or(0, of)
    };
    Ok(Value::Number(match attribute {
        0 => return Ok(Value::Text(&processor().model)),
        1..=4 => of_cache(1, |cache| cache.size),
        5..=8 => of_cache(5, |cache| cache.line_size),
        9..=12 => of_cache(9, |cache| cache.num_lines),
        13..=16 => of_cache(13, |cache| cache.associativity),
        17 => info.sockets,
        18 => info.nnodes,
        19 => info.cores,
        20 => info.threads * info.cores * info.sockets,
        21 => info.cpuid_family,
        22 => info.cpuid_model,
        23 => info.cpuid_stepping,
        24 => memory(place),
        25 => node_of(place),
        26 => threads_of(place),
        _ => return Err(ENOSUPP),
    }))
}

/// The memory of a node in MiB.
fn memory(node: u32) -> c_int {
    let path = format!("/sys/devices/system/node/node{node}/meminfo");
    let text = Host::local().text(path).unwrap_or_default();
    let line = text.lines().find(|line| line.contains("MemTotal:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().rev().nth(1)?.parse::<u64>().ok());
    c_int::try_from(kibibytes.unwrap_or(0) / 1024).unwrap_or(c_int::MAX)
}

/// The node of a thread.
fn node_of(thread: u32) -> c_int {
    let host = Host::local();
    let nodes = hardware::nodes(&host);
    let has = |node: &&u32| {
        let path = format!("/sys/devices/system/node/node{node}/cpu{thread}");
        !host.names(path).is_empty()
    };
    nodes.iter().find(has).map_or(0, |node| *node as c_int)
}

/// The number of threads of a node.
fn threads_of(node: u32) -> c_int {
    let host = Host::local();
    let cpus = host.names(format!("/sys/devices/system/node/node{node}"));
    let is_cpu = |name: &&String| {
        name.strip_prefix("cpu").is_some_and(|number| number.parse::<u32>().is_ok())
    };
    match cpus.iter().filter(is_cpu).count() {
        0 if node == 0 => host.online_cpus().len() as c_int,
        count => count as c_int,
    }
}
