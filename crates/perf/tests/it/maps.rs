use counterpoint_fixtures::FakeKernel;
use counterpoint_perf::{Host, Maps};
use std::path::Path;

const TEXT: &str = "\
00400000-00452000 r-xp 00001000 08:02 173521      /usr/bin/dbus daemon
00651000-00652000 r--p 00051000 08:02 173521      /usr/bin/dbus daemon
00e03000-00e24000 rw-p 00000000 00:00 0           [heap]
35b1800000-35b1820000 r-xs 00000000 08:02 135522  /lib/ld.so (deleted)
f2c6ff8c000-7f2c7078c000 rw-p 00000000 00:00 0
7fffb2d48000-7fffb2d49000 r-xp 00000000 00:00 0   [vdso]
ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]
";

#[test]
fn the_text_of_a_program_and_its_libraries() {
    let kernel = FakeKernel::new().file("/proc/77/maps", TEXT);
    let maps = Host::with_kernel(kernel).maps(Some(77)).unwrap();
    assert_eq!(maps.iter().len(), 7);
    let text: Vec<(u64, &Path)> =
        maps.text().map(|map| (map.range.start, map.path.as_deref().unwrap())).collect();
    let expected = [
        (0x400000, "/usr/bin/dbus daemon"),
        (0x35b1800000, "/lib/ld.so (deleted)"),
        (0x7fffb2d48000, "[vdso]"),
        (0xffffffffff600000, "[vsyscall]"),
    ];
    assert_eq!(text, expected.map(|(start, path)| (start, Path::new(path))));
    let code = maps.at(0x400010).unwrap();
    assert_eq!((code.file_offset(0x400010), code.inode), (Some(0x1010), 173521));
    assert!(code.read && !code.write && code.execute);
    assert_eq!(code.file_offset(0x3fffff), None);
    assert!(maps.at(0x452000).is_none(), "the end is outside");
    assert!(maps.at(0xf2c6ff8c000).unwrap().path.is_none());
}

#[test]
fn lines_of_another_form_are_left_out() {
    let text =
        b"\n-\nx-y r-xp 0 0 0\n1000-2000 r-xp\n\xff\xff-2 r-xp 0 0:0 0 a\n1-2 r-xp 0 0:0 0 \xff\n";
    let maps = Maps::parse(text);
    assert_eq!(maps.iter().len(), 1, "{maps:?}");
}

#[test]
fn this_program_is_in_its_own_maps() {
    let Ok(maps) = Host::local().maps(None) else {
        println!("skipped: no /proc here");
        return;
    };
    let here = this_program_is_in_its_own_maps as fn() as usize as u64;
    let map = maps.at(here).unwrap();
    assert!(map.execute);
    assert_eq!(map.path, std::env::current_exe().ok());
}
