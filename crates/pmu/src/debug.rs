//! The `Debug` of errors.

/// Prints an error with `{:?}` as its sentence and its help, so that a `main` that returns it shows them, and with `{:#?}` as its fields.
macro_rules! debug_as_sentence {
    ($error:ident { $($field:ident),+ } $($help:ident)?) => {
        /// The sentence with its help, and the fields for `{:#?}`.
        impl std::fmt::Debug for $error {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                if f.alternate() {
                    let mut fields = f.debug_struct(stringify!($error));
                    $(fields.field(stringify!($field), &self.$field);)+
                    return fields.finish();
                }
                write!(f, "{self}")?;
                $(write!(f, "\n  help: {}", self.$help())?;)?
                Ok(())
            }
        }
    };
}

pub(crate) use debug_as_sentence;
