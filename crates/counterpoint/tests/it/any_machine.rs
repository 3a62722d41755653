//! The properties of any machine at all, whatever its files say; the fuzz target asks the same.

use counterpoint::perf::{Errno, Host};
use counterpoint::{Machine, doctor};
use counterpoint_fixtures::FakeKernel;

/// Paragraphs are files: the path, then the content. Nothing panics, and what is listed can be asked for.
pub(crate) fn check(text: &str) {
    // It opens nothing: what an event would count is no matter of files.
    let refusing = FakeKernel::new().refuse_with(Errno::ENOENT, |_| true);
    let kernel = text.split("\n\n").fold(refusing, |kernel, file| {
        let (path, content) = file.split_once('\n').unwrap_or((file, ""));
        kernel.file(path.trim_matches('/').split('/').fold("".into(), under), content)
    });
    let machine = Machine::new(Host::with_kernel(kernel));
    let hardware = machine.hardware();
    assert!(!format!("{hardware:?}").is_empty());
    assert!(!doctor::examine(&machine).is_empty());
    for device in machine.devices() {
        for event in device.pmu.events.iter().take(3) {
            let name = format!("{}/{}/", device.pmu.name, event.name);
            if let Err(error) = machine.resolve(&name) {
                let span = error.span().unwrap_or(0..name.len());
                assert!(name.get(span).is_some(), "{name}: {error}");
            }
        }
    }
}

fn under(path: String, part: &str) -> String {
    format!("{path}/{part}")
}

#[test]
fn seeds() {
    for seed in crate::seeds::of("machine") {
        check(&String::from_utf8_lossy(&seed));
    }
}
