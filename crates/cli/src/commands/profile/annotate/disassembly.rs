//! The instructions of code, in the syntax of the processor's vendor.

use object::{Architecture, Object};
use std::fmt::Display;
use yaxpeax_arch::{Arch, Decoder, Reader, U8Reader};

/// An instruction, by the address that its file gives to it.
pub struct Instruction {
    pub address: u64,
    pub text: String,
}

/// The code from an offset of a file, whose first byte has this address; a sentence if it cannot be shown.
pub fn instructions(
    file: &[u8],
    (offset, address): (u64, u64),
    length: u64,
) -> Result<Vec<Instruction>, String> {
    let parsed =
        object::File::parse(file).map_err(|error| format!("it cannot be read: {error}"))?;
    let start = usize::try_from(offset).ok();
    let range = start.and_then(|start| Some(start..start.checked_add(length.try_into().ok()?)?));
    let code = range.and_then(|range| file.get(range)).ok_or("it is shorter than it was")?;
    match parsed.architecture() {
        Architecture::X86_64 => Ok(decoded::<yaxpeax_x86::amd64::Arch>(code, address, 1)),
        Architecture::I386 => Ok(decoded::<yaxpeax_x86::protected_mode::Arch>(code, address, 1)),
        Architecture::Aarch64 => Ok(decoded::<yaxpeax_arm::armv8::a64::ARMv8>(code, address, 4)),
        other => Err(format!("there is no disassembler for {other:?}")),
    }
}

/// What is no instruction is shown as bytes, as many as an instruction has at least.
fn decoded<A: Arch>(code: &[u8], address: u64, least: usize) -> Vec<Instruction>
where
    A::Instruction: Display,
    for<'a> U8Reader<'a>: Reader<A::Address, A::Word>,
{
    let decoder = A::Decoder::default();
    let (mut at, mut all) = (0, Vec::new());
    while at < code.len() {
        let mut reader = U8Reader::new(&code[at..]);
        let decoded = decoder.decode(&mut reader);
        let length = <U8Reader<'_> as Reader<A::Address, A::Word>>::total_offset(&mut reader);
        let length = yaxpeax_arch::AddressBase::to_linear(&length);
        let address = address.wrapping_add(at as u64);
        let (length, text) = match decoded {
            Ok(instruction) if length > 0 => (length, instruction.to_string()),
            _ => {
                let bytes = &code[at..code.len().min(at + least)];
                let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:#04x}")).collect();
                (least, format!(".byte {}", bytes.join(", ")))
            }
        };
        // Branches of x86 are relative to the next instruction, and those of arm64 to this one.
        let base = if least == 1 { address.wrapping_add(length as u64) } else { address };
        all.push(Instruction { address, text: with_target(text, base) });
        at += length;
    }
    all
}

/// The text with the address to which a relative branch goes, in place of `$+0x12`.
fn with_target(text: String, base: u64) -> String {
    let Some((before, relative)) = text.rsplit_once('$') else { return text };
    let (is_back, digits) = match relative.split_at_checked(1) {
        Some(("+", digits)) => (false, digits),
        Some(("-", digits)) => (true, digits),
        _ => return text,
    };
    let digits = digits.strip_prefix("0x").unwrap_or(digits);
    let Ok(distance) = u64::from_str_radix(digits, 16) else { return text };
    let target = match is_back {
        true => base.wrapping_sub(distance),
        false => base.wrapping_add(distance),
    };
    format!("{before}{target:#x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_have_the_address_to_which_they_go() {
        let texts = |of: Vec<Instruction>| -> Vec<(u64, String)> {
            of.into_iter().map(|of| (of.address, of.text)).collect()
        };
        // As objdump has them: nop, jne to the nop, call 0x1010, and an opcode that is none.
        let code = [0x90, 0x75, 0xfd, 0xe8, 0x08, 0, 0, 0, 0x06];
        let x86 = texts(decoded::<yaxpeax_x86::amd64::Arch>(&code, 0x1000, 1));
        let expected = [
            (0x1000, "nop"),
            (0x1001, "jnz 0x1000"),
            (0x1003, "call 0x1010"),
            (0x1008, ".byte 0x06"),
        ];
        assert_eq!(x86, expected.map(|(at, text)| (at, text.to_string())));
        // nop, b.ne to the nop, bl 0x1010, and an undefined instruction.
        let words: [u32; 4] = [0xd503_201f, 0x54ff_ffe1, 0x9400_0002, 0];
        let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let arm = texts(decoded::<yaxpeax_arm::armv8::a64::ARMv8>(&code, 0x1000, 4));
        let expected = [(0x1000, "nop"), (0x1004, "b.ne 0x1000"), (0x1008, "bl 0x1010")];
        assert_eq!(arm[..3], expected.map(|(at, text)| (at, text.to_string())));
        assert_eq!(arm.len(), 4, "{arm:?}");
    }
}
