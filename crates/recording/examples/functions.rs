//! The functions of a recording, of `perf record` or of `counterpoint profile --format perf`, with their shares.

#![allow(clippy::print_stdout, reason = "an example is a program")]

use counterpoint::profil::write::{Profile, functions};
use counterpoint::profile::Symbols;
use counterpoint::symbols::Binaries;
use counterpoint_recording::Recorded;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("usage: functions FILE")?;
    let (recorded, binaries) = (Recorded::open(file)?, Binaries::default());
    for profiled in &recorded.profiles {
        println!("{} samples of {}", profiled.samples, profiled.event);
        let symbols = Symbols::new(&binaries, profiled);
        let counted = Profile::new(&profiled.event, &profiled.snapshot);
        for of in functions(&Profile { symbols: &|address| symbols.symbol(address), ..counted }) {
            println!("{:5.1} % {} {}", of.percent, of.function, of.module.unwrap_or_default());
        }
    }
    recorded.remarks.iter().for_each(|remark| println!("{remark}"));
    Ok(())
}
