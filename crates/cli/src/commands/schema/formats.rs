//! Every machine format of the program.

#[cfg(feature = "catalog")]
use crate::commands::catalog;
#[cfg(feature = "libpfm3")]
use crate::commands::dispatch;
use crate::commands::{
    check, doctor, encode, eval, export, list, merge, plan, report, samples, show, stat,
};
use crate::schema::Lines;
use crate::{records, timeline_records};

pub struct Format {
    pub name: &'static str,
    /// What is written in it.
    pub of: &'static str,
    /// The types of its lines.
    pub lines: &'static [Lines],
}

pub const FORMATS: &[Format] = &[
    Format { name: "stat", of: "stat --json", lines: &[records::LINES, stat::json::LINES] },
    Format {
        name: "regions",
        of: "the report of a program that counts its regions",
        lines: &[records::LINES, timeline_records::LINES],
    },
    Format {
        name: "compare",
        of: "stat --compare --json, stat diff --json",
        lines: &[stat::compare::json::LINES],
    },
    Format { name: "merge", of: "merge --json", lines: &[merge::json::LINES] },
    Format { name: "table", of: "export --format jsonl", lines: &[export::json::LINES] },
    Format {
        name: "profile",
        of: "profile --format json, report --format json",
        lines: &[samples::json::LINES],
    },
    Format {
        name: "annotate",
        of: "annotate --format json, profile --annotate --format json",
        lines: &[samples::annotate::json::LINES],
    },
    Format {
        name: "profile-diff",
        of: "report diff --format json",
        lines: &[report::diff::json::LINES],
    },
    Format { name: "list", of: "list --json", lines: &[list::json::LINES] },
    Format { name: "show", of: "show --json", lines: &[show::json::LINES, encode::json::LINES] },
    Format { name: "encode", of: "encode --json, encode --batch", lines: &[encode::json::LINES] },
    Format { name: "plan", of: "plan --json", lines: &[plan::json::LINES] },
    Format { name: "check", of: "check --json", lines: &[check::json::LINES] },
    Format { name: "eval", of: "eval --batch", lines: &[eval::json::LINES] },
    #[cfg(feature = "libpfm3")]
    Format {
        name: "dispatch",
        of: "dispatch --json, dispatch --batch",
        lines: &[dispatch::json::LINES],
    },
    Format { name: "doctor", of: "doctor --json", lines: &[doctor::json::LINES] },
    #[cfg(feature = "catalog")]
    Format {
        name: "catalog-dump",
        of: "catalog dump --json, catalog schema --json",
        lines: &[catalog::dump::records::LINES],
    },
    #[cfg(feature = "catalog")]
    Format {
        name: "catalog-check",
        of: "catalog check --json",
        lines: &[catalog::check::json::LINES],
    },
    #[cfg(feature = "catalog")]
    Format {
        name: "catalog-data",
        of: "catalog data --json",
        lines: &[catalog::data::json::LINES],
    },
    #[cfg(feature = "catalog")]
    Format {
        name: "catalog-events",
        of: "catalog events --json",
        lines: &[catalog::events::LINES],
    },
    #[cfg(feature = "catalog")]
    Format {
        name: "catalog-formula",
        of: "catalog formula --json",
        lines: &[catalog::formula::json::LINES],
    },
];
