//! Generated modules, one for each vendor: `cargo xtask tables` writes them.

#[cfg(feature = "amd")]
pub(crate) mod amd;
#[cfg(feature = "arm")]
pub(crate) mod arm;
#[cfg(feature = "intel")]
pub(crate) mod intel;
#[cfg(feature = "mips")]
pub(crate) mod mips;
#[cfg(feature = "power")]
pub(crate) mod power;
#[cfg(feature = "s390x")]
pub(crate) mod s390x;
#[cfg(feature = "sparc")]
pub(crate) mod sparc;
