pub mod check;
pub mod doctor;
pub mod eval;
pub mod list;
