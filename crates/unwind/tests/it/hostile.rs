use crate::walk::{CODE, any_file, walk};
use counterpoint_unwind::{IS_SUPPORTED, Unwinder};
use object::{Object, ObjectSection};
use proptest::prelude::*;
use std::ops::Range;
use std::sync::OnceLock;

/// This program, whose unwind information is real.
fn own_file() -> Vec<u8> {
    std::fs::read(std::env::current_exe().unwrap()).unwrap()
}

#[test]
fn seeds() {
    for seed in crate::seeds::of("files") {
        any_file(&seed);
        // The seeds are files of x86-64.
        let mut unwinder = Unwinder::default();
        assert_eq!(unwinder.add(CODE, 0, &seed), cfg!(target_arch = "x86_64"));
    }
}

#[test]
fn a_program_has_unwind_information_and_half_of_it_does_no_harm() {
    if !IS_SUPPORTED {
        return println!("skipped: needs x86-64 or arm64");
    }
    let file = own_file();
    // The offset of its code is somewhere in the first segment that can run.
    let code = (0..file.len() as u64)
        .step_by(4096)
        .find(|offset| Unwinder::default().add(0x1000..0x2000, *offset, &file));
    let code = code.expect("this program has unwind information");
    for half in [file.len() / 2, file.len() / 4, 64, 20] {
        let mut unwinder = Unwinder::default();
        unwinder.add(0x10000..0x100000, code, &file[..half]);
        let steps = walk(&mut unwinder, 0x20000, &[0x20010; 64]);
        assert!(steps <= 100, "{steps}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Damaged unwind information and any stack: an answer, and no panic.
    #[test]
    fn files_that_lie_do_no_harm(
        damage in prop::collection::vec((0..PARTS.len(), 0.0..1.0_f64, any::<u8>()), 0..400),
        addresses in prop::collection::vec(CODE, 10),
        stack in prop::collection::vec(prop_oneof![CODE, 0_u64..0x300], 64),
    ) {
        let (mut file, parts, code) = loader();
        for (part, place, byte) in damage {
            let part = &parts[part];
            let place = part.start + ((part.len() as f64) * place) as usize;
            if let Some(at) = file.get_mut(place) {
                *at = byte;
            }
        }
        let mut unwinder = Unwinder::default();
        prop_assert_eq!(unwinder.add(CODE, code, &file), IS_SUPPORTED);
        for address in addresses {
            prop_assert!(walk(&mut unwinder, address, &stack) <= 100);
        }
    }
}

/// The sections that are damaged.
const PARTS: [&str; 2] = [".eh_frame", ".text"];

/// The C library's loader, which is a small file with unwind information, or this program without it; where its parts are, and where its code is.
fn loader() -> (Vec<u8>, Vec<Range<usize>>, u64) {
    static FILE: OnceLock<(Vec<u8>, Vec<Range<usize>>, u64)> = OnceLock::new();
    let loaders = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"];
    let read = || loaders.iter().find_map(|path| std::fs::read(path).ok()).unwrap_or_else(own_file);
    let found = || {
        let file = read();
        let parsed = object::File::parse(&*file).unwrap();
        let part = |name: &&str| {
            let (start, size) = parsed.section_by_name(name).unwrap().file_range().unwrap();
            start as usize..(start + size) as usize
        };
        let parts: Vec<_> = PARTS.iter().map(part).collect();
        let code = parts[1].start as u64 & !4095;
        (file, parts, code)
    };
    FILE.get_or_init(found).clone()
}
