//! The state of a machine while it measured, and whether two such states explain a difference.

use crate::field::{Field, ToField};
use crate::keys::{Key, Part, record};
use crate::words::listed;

record! {
    /// The state of the machine on which a report was measured; what it does not tell is left out.
    #[derive(Clone, Debug, Default, PartialEq)]
    #[cfg_attr(feature = "serde", derive(serde::Deserialize))]
    pub struct Environment {
        /// The name of the processor.
        cpu: Option<String>,
        /// The version of its microcode.
        microcode: Option<String>,
        /// The number of CPUs that are online.
        cpus: Option<u64>,
        /// The release of the kernel.
        kernel: Option<String>,
        /// The governor of the clock rate; of CPUs with different ones, all.
        governor: Option<String>,
        /// The least clock rate that is allowed, in MHz.
        min_mhz: Option<u64>,
        /// The greatest clock rate that is allowed, in MHz.
        max_mhz: Option<u64>,
        /// Whether rates above the nominal one are allowed: `on` or `off`.
        boost: Option<String>,
        /// Whether cores run several threads: `on` or `off`.
        smt: Option<String>,
        /// Whether the machine is virtual: `yes` or `no`.
        virtual_machine: Option<String>,
        /// The mean number of threads that wanted to run in the minute before.
        load: Option<f64>,
    }
}

/// How much of the CPUs the loads of two machines may differ by.
const LOAD: f64 = 0.25;

/// A difference that a difference of facts can explain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub enum Explains {
    /// Any difference.
    Everything,
    /// A difference of times and rates, and not of counts such as instructions.
    Times,
}

/// A fact of a machine, apart from its load.
pub(crate) struct Fact {
    /// The key of the environment.
    #[cfg_attr(not(feature = "merge"), allow(dead_code, reason = "merged reports have it"))]
    pub key: &'static str,
    /// The name in a sentence.
    pub name: &'static str,
    pub value: Option<String>,
    pub explains: Explains,
}

/// The names of the load, which is compared by how much it differs.
pub(crate) const LOAD_NAME: &str = "load";

impl Explains {
    /// The end of a sentence about a difference of facts.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Explains::Everything => "that can explain any difference",
            Explains::Times => {
                "that can explain a difference of times and rates, and not of counts such as instructions"
            }
        }
    }
}

impl Environment {
    /// Sentences about what differs between the states of two sides, of which these are the names, and whether that can explain a difference of their values; none if nothing is known to differ.
    ///
    /// ```
    /// use counterpoint_report::Environment;
    ///
    /// let governor = |name: &str| Environment {
    ///     governor: Some(name.to_string()),
    ///     ..Environment::default()
    /// };
    /// let sentences = governor("powersave").differences(&governor("performance"), ["A", "B"]);
    /// assert_eq!(sentences, [
    ///     "The governor is powersave in A and performance in B: that can explain a difference of times and rates, and not of counts such as instructions.",
    /// ]);
    /// ```
    pub fn differences(&self, other: &Environment, names: [&str; 2]) -> Vec<String> {
        let facts = self.facts().into_iter().zip(other.facts()).map(|(own, others)| {
            (own.explains, clause(own.name, [own.value, others.value], names))
        });
        let load = self
            .load
            .zip(other.load)
            .filter(|(own, others)| loads_differ(*own, *others, self.cpus.max(other.cpus)));
        let load = load.map(|(own, others)| {
            let values = [own, others].map(|load| Some(format!("{load:.2}")));
            (Explains::Times, clause(LOAD_NAME, values, names))
        });
        let all: Vec<_> = facts.chain(load).collect();
        let sentence = |explains: Explains| {
            let of = all.iter().filter(|(of, _)| *of == explains);
            let clauses: Vec<String> = of.filter_map(|(_, clause)| clause.clone()).collect();
            let listed = listed(&clauses, clauses.len());
            (!clauses.is_empty()).then(|| format!("The {listed}: {}.", explains.words()))
        };
        [Explains::Everything, Explains::Times].into_iter().filter_map(sentence).collect()
    }

    /// All facts but the load, in the order in which sentences have them.
    pub(crate) fn facts(&self) -> [Fact; 10] {
        use Explains::{Everything, Times};
        let number = |value: Option<u64>| value.map(|value| value.to_string());
        let facts = [
            ("cpu", "processor", self.cpu.clone(), Everything),
            ("microcode", "microcode", self.microcode.clone(), Everything),
            ("kernel", "kernel", self.kernel.clone(), Everything),
            ("virtual_machine", "virtual machine", self.virtual_machine.clone(), Everything),
            ("cpus", "number of CPUs", number(self.cpus), Times),
            ("governor", "governor", self.governor.clone(), Times),
            ("min_mhz", "least clock rate in MHz", number(self.min_mhz), Times),
            ("max_mhz", "greatest clock rate in MHz", number(self.max_mhz), Times),
            ("boost", "boost", self.boost.clone(), Times),
            ("smt", "SMT", self.smt.clone(), Times),
        ];
        facts.map(|(key, name, value, explains)| Fact { key, name, value, explains })
    }
}

/// Returns true if one load is much more than another one, on machines with so many CPUs.
pub(crate) fn loads_differ(one: f64, other: f64, cpus: Option<u64>) -> bool {
    (one - other).abs() > LOAD * cpus.unwrap_or(1) as f64
}

/// `governor is powersave in A and performance in B`, if both are known and differ.
fn clause(what: &str, of: [Option<String>; 2], names: [&str; 2]) -> Option<String> {
    let [one, two] = of;
    let (one, two) = one.zip(two).filter(|(one, two)| one != two)?;
    Some(format!("{what} is {one} in {} and {two} in {}", names[0], names[1]))
}

#[cfg(test)]
mod tests {
    use super::Environment;

    #[test]
    fn what_is_not_known_or_hardly_differs_is_not_said() {
        let of = |load: f64, kernel: Option<&str>| Environment {
            load: Some(load),
            cpus: Some(8),
            kernel: kernel.map(str::to_string),
            ..Environment::default()
        };
        assert!(of(0.1, None).differences(&of(1.9, Some("6.1")), ["A", "B"]).is_empty());
        let both = of(0.1, Some("6.0")).differences(&of(6.0, Some("6.1")), ["A", "B"]);
        assert_eq!(
            both[0],
            "The kernel is 6.0 in A and 6.1 in B: that can explain any difference."
        );
        assert!(both[1].starts_with("The load is 0.10 in A and 6.00 in B: "), "{both:?}");
        assert!(of(0.1, None).differences(&of(0.1, None), ["A", "B"]).is_empty());
    }
}
