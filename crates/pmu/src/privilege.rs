//! Privilege levels.

/// A set of privilege levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Privilege(u8);

impl Privilege {
    /// No level.
    pub const NONE: Privilege = Privilege(0);
    /// The kernel.
    #[doc(alias = "PFM_PLM0")]
    pub const KERNEL: Privilege = Privilege(1);
    /// Level 1, which few processors have.
    #[doc(alias = "PFM_PLM1")]
    pub const LEVEL1: Privilege = Privilege(2);
    /// Level 2, which few processors have.
    #[doc(alias = "PFM_PLM2")]
    pub const LEVEL2: Privilege = Privilege(4);
    /// User space.
    #[doc(alias = "PFM_PLM3")]
    pub const USER: Privilege = Privilege(8);
    /// The hypervisor.
    #[doc(alias = "PFM_PLMH")]
    pub const HYPERVISOR: Privilege = Privilege(16);
    /// Every level.
    pub const ALL: Privilege = Privilege(31);

    /// The levels of libpfm's mask; `None` if it has other bits.
    #[doc(alias = "PFM_ERR_INVAL")]
    pub fn from_bits(bits: u32) -> Option<Privilege> {
        u8::try_from(bits).ok().filter(|bits| bits & !Privilege::ALL.0 == 0).map(Privilege)
    }

    /// libpfm's mask.
    pub const fn bits(self) -> u32 {
        self.0 as u32
    }

    /// No level is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Any of these levels is in the set.
    pub fn intersects(self, levels: Privilege) -> bool {
        self.0 & levels.0 != 0
    }

    /// All of these levels are in the set.
    pub fn contains(self, levels: Privilege) -> bool {
        self.0 & levels.0 == levels.0
    }
}

/// A number that is not a set of privilege levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0:#x} is not a set of privilege levels")]
pub struct NotPrivilege(u64);

/// From libpfm's mask.
impl TryFrom<u64> for Privilege {
    type Error = NotPrivilege;

    fn try_from(bits: u64) -> Result<Privilege, NotPrivilege> {
        let known = u32::try_from(bits).ok().and_then(Privilege::from_bits);
        known.ok_or(NotPrivilege(bits))
    }
}

impl std::ops::BitOr for Privilege {
    type Output = Privilege;

    fn bitor(self, other: Privilege) -> Privilege {
        Privilege(self.0 | other.0)
    }
}

impl std::ops::BitOrAssign for Privilege {
    fn bitor_assign(&mut self, other: Privilege) {
        *self = *self | other;
    }
}

impl std::ops::Not for Privilege {
    type Output = Privilege;

    /// The other levels.
    fn not(self) -> Privilege {
        Privilege(!self.0 & Privilege::ALL.0)
    }
}
