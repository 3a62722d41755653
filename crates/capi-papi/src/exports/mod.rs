//! The functions, by the names of PAPI's header.
//!
//! Each checks its pointers here and leaves the rest to safe code. A panic is answered by `PAPI_EBUG`.

#![allow(unsafe_code, reason = "C programs call these functions with pointers")]
#![allow(
    clippy::missing_safety_doc,
    reason = "the promise is that of the header: strings end in zero, places can be written, arrays are as long as they are said to be"
)]

mod calls;
mod counting;
mod devices;
mod events;
mod fortran;
mod library;
mod options;
mod overflow;
mod rates;
mod regions;
mod sets;
mod system;
mod threads;

pub use counting::*;
pub use devices::*;
pub use events::*;
pub use fortran::*;
pub use library::*;
pub use options::*;
pub use overflow::*;
pub use rates::*;
pub use regions::*;
pub use sets::*;
pub use system::*;
pub use threads::*;
