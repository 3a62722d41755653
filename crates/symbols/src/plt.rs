//! The stubs through which a program calls functions of its libraries, named `strlen@plt` as in perf and gdb.

use object::{Architecture, Object, ObjectSection, ObjectSymbol, ObjectSymbolTable};
use object::{ReadRef, RelocationFlags, RelocationTarget, elf};
use std::collections::HashMap;

/// A stub, with the addresses of its code.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Stub {
    pub(crate) address: u64,
    pub(crate) size: u64,
    pub(crate) name: String,
}

/// The slots of the global offset table, through which stubs jump.
#[derive(Default)]
struct Slots {
    /// The name of the function that a slot is filled with.
    names: HashMap<u64, String>,
    /// The names of `.rela.plt`, in its order, which is that of the lazy stubs.
    lazy: Vec<String>,
}

/// The stubs of every section `.plt`, `.plt.sec`, `.plt.got` and so on.
///
/// `function` returns the name of the function of the file that begins at an address; a slot of an indirect function refers to one.
pub(crate) fn stubs<'d, R: ReadRef<'d>>(
    file: &object::File<'d, R>,
    function: &dyn Fn(u64) -> Option<String>,
) -> Vec<Stub> {
    let sections = file.sections().filter_map(|section| {
        let name = section.name().ok()?;
        (name == ".plt" || name == ".iplt" || name.starts_with(".plt.")).then_some(section)
    });
    let mut sections = sections.peekable();
    if sections.peek().is_none() {
        return Vec::new();
    }
    let slots = Slots::read(file, function);
    let got = [".got.plt", ".got"].into_iter().find_map(|name| file.section_by_name(name));
    let got = got.map_or(0, |section| section.address());
    let stubs = sections.flat_map(|section| {
        let (Ok(name), Ok(code)) = (section.name(), section.data()) else { return Vec::new() };
        let address = section.address();
        match file.architecture() {
            Architecture::X86_64 | Architecture::X86_64_X32 => {
                x86(name, address, code, &slots, Jump::Relative)
            }
            Architecture::I386 => x86(name, address, code, &slots, Jump::Absolute(got)),
            Architecture::Aarch64 => aarch64(address, code, &slots),
            architecture if name == ".plt" => in_order(address, code, &slots, architecture),
            _ => Vec::new(),
        }
    });
    stubs.collect()
}

impl Slots {
    fn read<'d, R: ReadRef<'d>>(
        file: &object::File<'d, R>,
        function: &dyn Fn(u64) -> Option<String>,
    ) -> Slots {
        let mut slots = Slots::default();
        let symbols = file.dynamic_symbol_table();
        for (slot, relocation) in file.dynamic_relocations().into_iter().flatten() {
            let name = match relocation.target() {
                RelocationTarget::Symbol(index) => {
                    let symbol = symbols.as_ref().and_then(|s| s.symbol_by_index(index).ok());
                    symbol.and_then(|symbol| Some(symbol.name().ok()?.to_string()))
                }
                _ if is_indirect(file.architecture(), relocation.flags()) => {
                    function(relocation.addend() as u64)
                }
                _ => None,
            };
            let Some(name) = name.filter(|name| !name.is_empty()) else { continue };
            if is_jump_slot(file.architecture(), relocation.flags()) {
                slots.lazy.push(name.clone());
            }
            slots.names.insert(slot, name);
        }
        slots
    }

    fn stub(&self, slot: u64, address: u64, size: u64) -> Option<Stub> {
        let name = self.names.get(&slot)?;
        Some(Stub { address, size, name: format!("{name}@plt") })
    }
}

/// Returns true if a relocation is for a function that is looked up at its first call.
fn is_jump_slot(architecture: Architecture, flags: RelocationFlags) -> bool {
    let RelocationFlags::Elf { r_type } = flags else { return false };
    r_type
        == match architecture {
            Architecture::X86_64 | Architecture::X86_64_X32 => elf::R_X86_64_JUMP_SLOT,
            Architecture::I386 => elf::R_386_JMP_SLOT,
            Architecture::Aarch64 => elf::R_AARCH64_JUMP_SLOT,
            Architecture::Arm => elf::R_ARM_JUMP_SLOT,
            Architecture::Riscv32 | Architecture::Riscv64 => elf::R_RISCV_JUMP_SLOT,
            Architecture::LoongArch64 => elf::R_LARCH_JUMP_SLOT,
            Architecture::S390x => elf::R_390_JMP_SLOT,
            _ => return false,
        }
}

/// Returns true if a relocation has the address of the function that selects an indirect function.
fn is_indirect(architecture: Architecture, flags: RelocationFlags) -> bool {
    let RelocationFlags::Elf { r_type } = flags else { return false };
    match architecture {
        Architecture::X86_64 | Architecture::X86_64_X32 => r_type == elf::R_X86_64_IRELATIVE,
        Architecture::Aarch64 => r_type == elf::R_AARCH64_IRELATIVE,
        _ => false,
    }
}

/// The way in which an indirect jump of x86 names its slot.
#[derive(Clone, Copy)]
enum Jump {
    /// By the distance from the next instruction.
    Relative,
    /// By its address, or by the distance from the global offset table, which has this address.
    Absolute(u64),
}

/// Stubs of 16 bytes, or of 8 where one is only a jump through a slot that is always filled.
///
/// A lazy stub that does not jump through its slot, because `.plt.sec` does, pushes its number.
fn x86(section: &str, address: u64, code: &[u8], slots: &Slots, jump: Jump) -> Vec<Stub> {
    const ENDBR: [u8; 3] = [0xf3, 0x0f, 0x1e];
    let short = section == ".plt.got" && code.starts_with(&[0xff, 0x25]);
    let size = if short { 8 } else { 16 };
    let stub = |(index, stub): (usize, &[u8])| {
        let start = address + (index * size) as u64;
        let jumped = stub.windows(6).enumerate().find_map(|(at, bytes)| {
            let slot = jump.slot(bytes, start + at as u64)?;
            slots.stub(slot, start, size as u64)
        });
        let pushed = || {
            let push = if stub.starts_with(&ENDBR) { stub.get(4..)? } else { stub };
            let number = word(push.strip_prefix(&[0x68])?)? / jump.unit();
            let name = slots.lazy.get(number as usize)?;
            Some(Stub { address: start, size: size as u64, name: format!("{name}@plt") })
        };
        // The function that looks another one up at its first call, as perf calls it.
        let header = || {
            let header = section == ".plt" && index == 0;
            header.then(|| Stub { address: start, size: size as u64, name: ".plt".to_string() })
        };
        jumped.or_else(pushed).or_else(header)
    };
    code.chunks(size).enumerate().filter_map(stub).collect()
}

impl Jump {
    /// The unit of the number of a lazy stub: relocations, or their bytes.
    fn unit(self) -> u32 {
        match self {
            Jump::Relative => 1,
            Jump::Absolute(_) => 8,
        }
    }

    /// The slot of an indirect jump at an address, if these bytes are one.
    fn slot(self, bytes: &[u8], address: u64) -> Option<u64> {
        let operand = word(bytes.get(2..)?)?;
        match (self, bytes.get(..2)?) {
            (Jump::Relative, [0xff, 0x25]) => {
                Some(address.wrapping_add(6).wrapping_add_signed((operand as i32).into()))
            }
            (Jump::Absolute(_), [0xff, 0x25]) => Some(operand.into()),
            (Jump::Absolute(got), [0xff, 0xa3]) => {
                Some(got.wrapping_add_signed((operand as i32).into()) & u64::from(u32::MAX))
            }
            _ => None,
        }
    }
}

/// `adrp x16, PAGE; ldr x17, [x16, OFFSET]; …; br x17`, where the slot is at OFFSET of PAGE; stubs begin after the branch of the one before.
fn aarch64(address: u64, code: &[u8], slots: &Slots) -> Vec<Stub> {
    const NOP: u32 = 0xd503_201f;
    const BR_X17: u32 = 0xd61f_0220;
    let mut stubs = Vec::new();
    let (mut start, mut page, mut slot) = (None, None, None);
    for (index, bytes) in code.chunks_exact(4).enumerate() {
        let (at, Some(instruction)) = (address + index as u64 * 4, word(bytes)) else { continue };
        if instruction == NOP && start.is_none() {
            continue;
        }
        let first = *start.get_or_insert(at);
        if instruction & 0x9f00_001f == 0x9000_0010 {
            let pages = (instruction >> 3 & 0x1f_fffc) | (instruction >> 29 & 3);
            let signed = i64::from((pages << 11) as i32 >> 11);
            page = Some((at & !0xfff).wrapping_add_signed(signed << 12));
        } else if instruction & 0xffc0_03ff == 0xf940_0211 {
            let offset = u64::from(instruction >> 10 & 0xfff) * 8;
            slot = page.map(|page| page.wrapping_add(offset));
        } else if instruction == BR_X17 {
            let size = at + 4 - first;
            stubs.extend(slot.and_then(|slot| slots.stub(slot, first, size)));
            (start, page, slot) = (None, None, None);
        }
    }
    stubs
}

/// Stubs of one size after a header, in the order of the relocations, for architectures where perf counts them too.
fn in_order(address: u64, code: &[u8], slots: &Slots, architecture: Architecture) -> Vec<Stub> {
    let (header, size) = match architecture {
        Architecture::Arm => (20, 12),
        Architecture::LoongArch64 | Architecture::Riscv32 | Architecture::Riscv64 => (32, 16),
        Architecture::S390x => (32, 32),
        _ => return Vec::new(),
    };
    // Stubs of another size, as some linkers make them, would get each other's names.
    if header + size * slots.lazy.len() != code.len() {
        return Vec::new();
    }
    let names = slots.lazy.iter().enumerate();
    let stub = |(index, name): (usize, &String)| {
        let address = address + (header + index * size) as u64;
        Stub { address, size: size as u64, name: format!("{name}@plt") }
    };
    names.map(stub).collect()
}

/// A number of 32 bits; code is little-endian on both architectures that are decoded.
fn word(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(slot: u64) -> Slots {
        let names = HashMap::from([(slot, "strlen".to_string()), (slot + 8, "abs".to_string())]);
        Slots { names, lazy: vec!["strlen".to_string(), "abs".to_string()] }
    }

    fn stub(address: u64, size: u64, name: &str) -> Stub {
        Stub { address, size, name: name.to_string() }
    }

    fn code(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// The header, a stub, and one that begins with a landing pad (`bti c`) and so is longer.
    #[test]
    fn stubs_of_arm64_are_named_by_their_slots() {
        const NOP: u32 = 0xd503_201f;
        let header =
            [0xa9bf_7bf0, 0xf000_0070, 0xf947_fe11, 0x913f_e210, 0xd61f_0220, NOP, NOP, NOP];
        // adrp x16, 0x11000; ldr x17, [x16]; add x16, x16, 0; br x17
        let plain = [0x9000_0090, 0xf940_0211, 0x9100_0210, 0xd61f_0220];
        // bti c; adrp x16, 0x11000; ldr x17, [x16, 8]; add x16, x16, 8; br x17; nop
        let landing = [0xd503_245f, 0x9000_0090, 0xf940_0611, 0x9100_2210, 0xd61f_0220, NOP];
        let code = code(&[&header[..], &plain, &landing].concat());
        assert_eq!(
            aarch64(0x1000, &code, &slots(0x11000)),
            [stub(0x1020, 16, "strlen@plt"), stub(0x1030, 20, "abs@plt")]
        );
    }

    /// Position-independent code of i386 jumps by the distance from the global offset table, other code by the address.
    #[test]
    fn stubs_of_i386_are_named_by_their_slots() {
        let by_distance = [0xff, 0xa3, 0x0c, 0, 0, 0, 0x68, 0, 0, 0, 0, 0xe9, 0, 0, 0, 0];
        let by_address = [0xff, 0x25, 0x14, 0x40, 0, 0, 0x68, 8, 0, 0, 0, 0xe9, 0, 0, 0, 0];
        let code = [by_distance, by_address].concat();
        assert_eq!(
            x86(".plt", 0x1010, &code, &slots(0x400c), Jump::Absolute(0x4000)),
            [stub(0x1010, 16, "strlen@plt"), stub(0x1020, 16, "abs@plt")]
        );
    }

    #[test]
    fn stubs_in_order_are_named_only_where_all_have_the_usual_size() {
        let all = in_order(0x1000, &[0; 64], &slots(0), Architecture::Riscv64);
        assert_eq!(all, [stub(0x1020, 16, "strlen@plt"), stub(0x1030, 16, "abs@plt")]);
        assert_eq!(in_order(0x1000, &[0; 68], &slots(0), Architecture::Riscv64), []);
    }
}
