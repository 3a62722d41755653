//! The privilege level of the code that ran.

/// The privilege level of the code that ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Level {
    /// Not reported by the kernel.
    #[default]
    Unknown,
    /// The kernel.
    Kernel,
    /// A program.
    User,
    /// The hypervisor.
    Hypervisor,
    /// The kernel of a guest.
    GuestKernel,
    /// A program in a guest.
    GuestUser,
}

impl Level {
    pub(super) fn of(misc: u16) -> Level {
        match misc & 0b111 {
            1 => Level::Kernel,
            2 => Level::User,
            3 => Level::Hypervisor,
            4 => Level::GuestKernel,
            5 => Level::GuestUser,
            _ => Level::Unknown,
        }
    }
}
