//! The generations of the driver.

/// The generation of the driver; names and values have changed twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kernel {
    /// Out of tree, 2014: `starting_index=core`, names such as `NAME__vcpu_home_core`.
    Y2014,
    /// Linux 4.1 (2015): `core=?` for every domain, names such as `NAME__PHYS_CORE`.
    V4_1,
    /// Since 2016: plain names; the domain of core events is left to the user.
    #[default]
    Current,
}

impl Kernel {
    /// Every generation, the oldest first.
    pub const ALL: [Kernel; 3] = [Kernel::Y2014, Kernel::V4_1, Kernel::Current];

    /// `2014`, `4.1` or `current`.
    pub fn name(self) -> &'static str {
        match self {
            Kernel::Y2014 => "2014",
            Kernel::V4_1 => "4.1",
            Kernel::Current => "current",
        }
    }
}
