//! The families of models, a file each, and the list of all models.

mod gen_ia32;

use super::model::{Model, model};

macro_rules! models {
    ($($name:literal $table:literal $rules:path,)*) => {
        /// Every model: its name, its table and its family. A new one is a line here and a table; a new
        /// family is a file with [`Rules`](super::model::Rules) over the table.
        pub(crate) static MODELS: [Model; [$($name),*].len()] = [$(model(
            $name,
            include_str!(concat!("../../../tables/dispatch/", $table, ".txt")),
            $rules,
        )),*];
    };
}

models! {
    "gen_ia32_v1" "gen_ia32_v1" gen_ia32::version1,
    "gen_ia32_v2" "gen_ia32_v2" gen_ia32::version2,
    "gen_ia32_v3" "gen_ia32_v2" gen_ia32::version3,
    "gen_ia32_v3_4gp" "gen_ia32_v3_4gp" gen_ia32::version3,
}
