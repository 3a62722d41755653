//! The instructions of code, in the syntax of the processor's vendor.

use super::instruction::{Instruction, Reference};
use counterpoint::symbols::Architecture;
use iced_x86::{CC_e, CC_ne, Decoder, DecoderOptions, Formatter, IntelFormatter};
use yaxpeax_arch::{Decoder as _, U8Reader};

/// The instructions of code whose first byte has this address; a sentence if there is no disassembler.
///
/// Bytes that are no instruction are one row with those behind them, up to the next address to which an instruction before them branches: where instructions begin again is not known.
pub fn instructions(
    code: &[u8],
    address: u64,
    architecture: &Architecture,
) -> Result<Vec<Instruction>, String> {
    match architecture {
        Architecture::X86_64 => Ok(x86(code, address, 64)),
        Architecture::X86 => Ok(x86(code, address, 32)),
        Architecture::Arm64 => Ok(arm64(code, address)),
        Architecture::Other(name) => Err(format!("there is no disassembler for {name}")),
        other => Err(format!("there is no disassembler for {other:?}")),
    }
}

fn x86(code: &[u8], address: u64, bitness: u32) -> Vec<Instruction> {
    // As objdump has them; processors without these instructions do nothing there.
    let mut decoder = Decoder::with_ip(bitness, code, address, DecoderOptions::MPX);
    let mut formatter = IntelFormatter::new();
    let options = formatter.options_mut();
    options.set_uppercase_hex(false);
    options.set_hex_prefix("0x");
    options.set_hex_suffix("");
    options.set_small_hex_numbers_in_decimal(false);
    options.set_branch_leading_zeros(false);
    options.set_show_branch_size(false);
    options.set_rip_relative_addresses(true);
    options.set_space_after_operand_separator(true);
    options.set_show_useless_prefixes(true);
    options.set_cc_e(CC_e::z);
    options.set_cc_ne(CC_ne::nz);
    let mut all: Vec<Instruction> = Vec::new();
    let mut branches = Vec::new();
    while decoder.can_decode() {
        let at = decoder.position();
        let instruction = decoder.decode();
        let address = instruction.ip();
        if instruction.is_invalid() {
            let end = resumes(&mut branches, address, address - at as u64 + code.len() as u64);
            all.push(undecoded(address, end));
            let next = at + (end - address) as usize;
            if decoder.set_position(next).is_err() {
                break;
            }
            decoder.set_ip(end);
            continue;
        }
        let mut text = String::new();
        formatter.format(&instruction, &mut text);
        let target = instruction.near_branch_target();
        let refers_to = if target != 0 {
            branches.push(target);
            Some(Reference::Branch(target))
        } else if instruction.is_ip_rel_memory_operand() {
            Some(Reference::Memory(instruction.ip_rel_memory_address()))
        } else {
            None
        };
        all.push(Instruction { address, text, refers_to });
    }
    all
}

/// The first address behind `from` to which a branch goes, or the end of the code.
fn resumes(branches: &mut [u64], from: u64, end: u64) -> u64 {
    branches.sort_unstable();
    let after = branches.partition_point(|target| *target <= from);
    branches.get(after).copied().unwrap_or(end).min(end)
}

/// The row of bytes that are not decoded.
fn undecoded(address: u64, end: u64) -> Instruction {
    let bytes = end - address;
    let s = if bytes == 1 { "" } else { "s" };
    let text = format!("({bytes} byte{s} that are not decoded)");
    Instruction { address, text, refers_to: None }
}

/// The size of every instruction of arm64.
const WORD: usize = 4;

fn arm64(code: &[u8], address: u64) -> Vec<Instruction> {
    let decoder = yaxpeax_arm::armv8::a64::InstDecoder::default();
    let words = code.chunks(WORD).enumerate();
    let instruction = |(number, word): (usize, &[u8])| {
        let address = address.wrapping_add((WORD * number) as u64);
        let Ok(decoded) = decoder.decode(&mut U8Reader::new(word)) else {
            return undecoded(address, address.wrapping_add(word.len() as u64));
        };
        let (text, target) = with_target(decoded.to_string(), address);
        Instruction { address, text, refers_to: target.map(Reference::Branch) }
    };
    words.map(instruction).collect()
}

/// The text with the address to which a relative branch goes, in place of `$+0x12`, and that address.
fn with_target(text: String, base: u64) -> (String, Option<u64>) {
    let target = || {
        let (before, relative) = text.rsplit_once('$')?;
        let (sign, digits) = relative.split_at_checked(1)?;
        let distance = u64::from_str_radix(digits.strip_prefix("0x").unwrap_or(digits), 16).ok()?;
        let target = match sign {
            "+" => base.wrapping_add(distance),
            "-" => base.wrapping_sub(distance),
            _ => return None,
        };
        Some((format!("{before}{target:#x}"), target))
    };
    match target() {
        Some((text, target)) => (text, Some(target)),
        None => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show;
    use std::io::Write;
    use std::process::Command;

    fn texts(code: &[u8], architecture: Architecture) -> Vec<(u64, String)> {
        let all = instructions(code, 0x1000, &architecture).unwrap();
        all.into_iter().map(|of| (of.address, of.text)).collect()
    }

    fn expected<const N: usize>(rows: [(u64, &str); N]) -> Vec<(u64, String)> {
        rows.map(|(at, text)| (at, text.to_string())).into()
    }

    #[test]
    fn branches_have_the_address_to_which_they_go() {
        // As objdump has them: nop, jne to the nop, call 0x1010.
        let code = [0x90, 0x75, 0xfd, 0xe8, 0x08, 0, 0, 0];
        let rows = [(0x1000, "nop"), (0x1001, "jnz 0x1000"), (0x1003, "call 0x1010")];
        assert_eq!(texts(&code, Architecture::X86_64), expected(rows));
        // nop, b.ne to the nop, bl 0x1010, and an undefined instruction.
        let words: [u32; 4] = [0xd503_201f, 0x54ff_ffe1, 0x9400_0002, 0xffff_ffff];
        let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let rows = [
            (0x1000, "nop"),
            (0x1004, "b.ne 0x1000"),
            (0x1008, "bl 0x1010"),
            (0x100c, "(4 bytes that are not decoded)"),
        ];
        assert_eq!(texts(&code, Architecture::Arm64), expected(rows));
    }

    /// Instructions that other decoders have been seen to get wrong, as the vendor's manual and objdump have them.
    #[test]
    fn instructions_are_those_of_the_vendors_manual() {
        for (bytes, text) in [
            (&[0xc4, 0xe2, 0xf9, 0xa9, 0xc1][..], "vfmadd213sd xmm0, xmm0, xmm1"),
            (&[0xc4, 0xe2, 0x79, 0xa9, 0xc1], "vfmadd213ss xmm0, xmm0, xmm1"),
            (&[0xf3, 0x90], "pause"),
            (&[0x0f, 0xca], "bswap edx"),
            (&[0x0f, 0xba, 0xe0, 0x05], "bt eax, 0x5"),
            (&[0x66, 0x0f, 0x6e, 0xc7], "movd xmm0, edi"),
            (
                &[0x64, 0x48, 0x8b, 0x04, 0x25, 0xf8, 0xff, 0xff, 0xff],
                "mov rax, fs:[0xfffffffffffffff8]",
            ),
            (&[0xf3, 0xa6], "repz cmpsb [rsi], [rdi]"),
            (&[0xf3, 0x48, 0x0f, 0x1e, 0xc8], "rdsspq rax"),
            (&[0xf3, 0x0f, 0x09], "wbnoinvd"),
            (&[0x62, 0xb1, 0x6d, 0x20, 0x74, 0xc0], "vpcmpeqb k0, ymm18, ymm16"),
            (&[0xc5, 0xfb, 0x93, 0xc0], "kmovd eax, k0"),
            (&[0x62, 0xf2, 0x75, 0x08, 0x50, 0xc2], "vpdpbusd xmm0, xmm1, xmm2"),
            (&[0xc4, 0xe2, 0x6b, 0x5e, 0xc1], "tdpbssd tmm0, tmm1, tmm2"),
            (&[0x62, 0xf5, 0x76, 0x08, 0x58, 0xc2], "vaddsh xmm0, xmm1, xmm2"),
            (&[0x8f, 0xe8, 0x78, 0xc0, 0xc1, 0x05], "vprotb xmm0, xmm1, 0x5"),
            (&[0x66, 0x0f, 0x1a, 0xc1], "bndmov bnd0, bnd1"),
            (&[0x2e, 0x66, 0x0f, 0x1f, 0x04, 0x00], "nop cs:[rax+rax]"),
        ] {
            let all = texts(bytes, Architecture::X86_64);
            assert_eq!(all, expected([(0x1000, text)]), "{bytes:02x?}");
        }
    }

    #[test]
    fn what_is_no_instruction_ends_where_a_branch_goes() {
        // jmp +3, three bytes that are none, ret; then one that is none, up to the end.
        let code = [0xeb, 0x03, 0x06, 0x06, 0x06, 0xc3, 0x06, 0x90, 0x90];
        let rows = [
            (0x1000, "jmp 0x1005"),
            (0x1002, "(3 bytes that are not decoded)"),
            (0x1005, "ret"),
            (0x1006, "(3 bytes that are not decoded)"),
        ];
        assert_eq!(texts(&code, Architecture::X86_64), expected(rows));
    }

    #[test]
    fn memory_beside_an_instruction_is_referred_to() {
        // mov eax, [rip + 0x10], which ends at 0x1006.
        let code = [0x8b, 0x05, 0x10, 0, 0, 0];
        let all = instructions(&code, 0x1000, &Architecture::X86_64).unwrap();
        assert_eq!(all[0].text, "mov eax, [rip+0x10]");
        assert_eq!(all[0].refers_to, Some(Reference::Memory(0x1016)));
    }

    /// The text of this program itself, every instruction of it, beside objdump.
    #[test]
    fn instructions_begin_where_objdump_says() {
        use counterpoint::symbols::{Binary, CodeFile, DebugFiles};
        let path = std::env::current_exe().unwrap();
        let path = ["/lib/x86_64-linux-gnu/libc.so.6", "/lib64/libc.so.6"]
            .into_iter()
            .map(std::path::PathBuf::from)
            .find(|path| path.is_file())
            .unwrap_or(path);
        let output = Command::new("objdump")
            .args(["-d", "-j", ".text", "--no-show-raw-insn"])
            .arg(&path)
            .output();
        let Some(output) = output.ok().filter(|output| output.status.success()) else {
            return drop(writeln!(show::stderr(), "skipped: needs objdump for this processor"));
        };
        let binary = Binary::open(&CodeFile::Path(path), &DebugFiles::default()).unwrap();
        // By function, each decoded from its first byte.
        let (mut functions, mut at) = (Vec::new(), Vec::new());
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            if line.ends_with(">:") {
                functions.push(std::mem::take(&mut at));
            } else if let Some((address, _)) = line.split_once(":\t") {
                let row =
                    (u64::from_str_radix(address.trim(), 16).unwrap(), line.contains("(bad)"));
                at.push(row);
            }
        }
        functions.push(at);
        let (mut compared, mut different) = (0, Vec::new());
        for rows in functions.iter().filter(|rows| rows.iter().all(|(_, is_bad)| !is_bad)) {
            let (Some((first, _)), Some((last, _))) = (rows.first(), rows.last()) else { continue };
            let code = binary.code(*first..*last).unwrap();
            let ours = instructions(&code, *first, binary.architecture()).unwrap();
            let ours: Vec<u64> = ours.iter().map(|of| of.address).collect();
            let theirs: Vec<u64> = rows[..rows.len() - 1].iter().map(|(at, _)| *at).collect();
            compared += theirs.len();
            if ours != theirs {
                different.push(*first);
            }
        }
        assert!(compared > 10_000, "{compared} instructions");
        assert!(different.is_empty(), "{} of {}: {different:x?}", different.len(), functions.len());
    }
}
