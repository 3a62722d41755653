use crate::machine::pmus::Machine;

/// Reads the catalog of the running POWER machine from the driver `hv_24x7`.
pub const PATH: &str = "/sys/bus/event_source/devices/hv_24x7/interface/catalog";

impl Machine {
    /// The bytes of the machine's 24x7 catalog, for [`Catalog::decode`](super::Catalog::decode) or [`View::new`](super::View::new).
    ///
    /// # Errors
    /// Returns an error if the machine is not a POWER machine under PowerVM, or the user may not read the file.
    pub fn catalog(&self) -> std::io::Result<Vec<u8>> {
        self.host().bytes(PATH)
    }
}
