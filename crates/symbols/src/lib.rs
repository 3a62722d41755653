//! Files of code: programs and libraries to functions, lines, inlined frames and PLT stubs, with their debug files, build ids and the names of run-time compilers.
//!
//! - [`CodeFiles`] finds the file that was mapped, and no other: in a root of the caller, in that of a process, or in a cache by its build id.
//! - [`Binary`] has the functions and lines of a file, those of its debug file included, which [`DebugFiles`] finds.
//! - [`Binaries`] reads each file once.
//! - [`Jit`] has the functions that a run-time compiler made (`/tmp/perf-PID.map`, jitdump).
//! - [`entry`] is the place of a function in its file, by its name.
//! - [`demangled`] is the source name of a symbol of C++ or Rust.
//! - [`ShortNames`] are source names as one reads them, without parameters and arguments, and finds functions by them.
//!
//! The places of the addresses of a profile in a file are not known here; the feature `symbols` of the crate `counterpoint` names those of its profiles.
//!
//! ```
//! use counterpoint_symbols::{Binary, CodeFile, DebugFiles};
//!
//! let program = CodeFile::Path(std::env::current_exe()?);
//! let binary = Binary::open(&program, &DebugFiles::default()).ok_or("it is no ELF file")?;
//! let main = binary.functions().find(|(name, _)| *name == "main").ok_or("it has no main")?;
//! assert_eq!(binary.function(main.1.start).unwrap().0, "main");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod binaries;
mod binary;
mod blocks;
mod build_id;
mod code_file;
mod code_files;
mod debug_files;
mod debuginfod;
mod demangled;
mod entry;
mod functions;
mod inflated;
mod jit;
mod jitdump;
mod mini_symbols;
mod notice;
mod plain;
mod plt;
mod scopes;
mod short_names;
mod source_files;
mod variables;

pub use binaries::Binaries;
pub use binary::{Architecture, Binary, Frame, Symbol};
pub use build_id::{build_id_of_file, hex};
pub use code_file::{CodeFile, FileId, MappedFile, VDSO};
pub use code_files::CodeFiles;
pub use debug_files::DebugFiles;
pub use demangled::demangled;
pub use entry::{NoEntry, entry};
pub use jit::Jit;
pub use notice::{Notice, Notify};
pub use plain::is_plain;
pub use short_names::ShortNames;
pub use source_files::SourceFiles;

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
