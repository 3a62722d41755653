//! Files of code, as a caller gives them.
