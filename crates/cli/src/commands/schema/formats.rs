//! Every machine format of the program.

/// A machine format.
pub struct Format {
    pub name: &'static str,
    /// The content that is written in it.
    pub of: &'static str,
    /// Its document of JSON Schema, which is made of the types that are written.
    pub document: &'static str,
}

macro_rules! formats {
    ($($(#[$built_in:meta])? $name:literal: $of:literal,)+) => {
        pub const FORMATS: &[Format] = &[
            $($(#[$built_in])? Format {
                name: $name,
                of: $of,
                document: include_str!(concat!("../../../schemas/", $name, ".json")),
            },)+
        ];
    };
}

formats! {
    "stat": "stat --json",
    "regions": "the report of a program that counts its regions",
    "compare": "stat --compare --json, stat diff --json",
    "merge": "merge --json",
    "table": "export --format jsonl",
    "profile": "profile --format json, report --format json",
    "wall": "profile --wall --format json, report --wall --format json",
    "memory": "profile --memory --format json, report --memory --format json",
    "function-metrics": "profile -M NAME --format json, report -M NAME --format json",
    "shared-lines": "report --shared-lines --format json",
    "annotate": "annotate --format json, profile --annotate --format json",
    "profile-diff": "report diff --format json",
    "list": "list --json",
    "show": "show --json",
    "encode": "encode --json, encode --batch",
    "plan": "plan --json",
    "check": "check --json",
    "eval": "eval --batch",
    #[cfg(feature = "libpfm3")]
    "dispatch": "dispatch --json, dispatch --batch",
    "doctor": "doctor --json",
    #[cfg(feature = "catalog")]
    "catalog-dump": "catalog dump --json, catalog schema --json",
    #[cfg(feature = "catalog")]
    "catalog-check": "catalog check --json",
    #[cfg(feature = "catalog")]
    "catalog-data": "catalog data --json",
    #[cfg(feature = "catalog")]
    "catalog-events": "catalog events --json",
    #[cfg(feature = "catalog")]
    "catalog-formula": "catalog formula --json",
}
