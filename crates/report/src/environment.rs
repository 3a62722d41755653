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
        let text = |value: &Option<String>| value.clone();
        let number = |value: Option<u64>| value.map(|value| value.to_string());
        let of_machine = [
            ("processor", text(&self.cpu), text(&other.cpu)),
            ("microcode", text(&self.microcode), text(&other.microcode)),
            ("kernel", text(&self.kernel), text(&other.kernel)),
            ("virtual machine", text(&self.virtual_machine), text(&other.virtual_machine)),
        ];
        let of_speed = [
            ("number of CPUs", number(self.cpus), number(other.cpus)),
            ("governor", text(&self.governor), text(&other.governor)),
            ("least clock rate in MHz", number(self.min_mhz), number(other.min_mhz)),
            ("greatest clock rate in MHz", number(self.max_mhz), number(other.max_mhz)),
            ("boost", text(&self.boost), text(&other.boost)),
            ("SMT", text(&self.smt), text(&other.smt)),
            ("load", self.load_beside(other), other.load_beside(self)),
        ];
        let everything = "that can explain any difference";
        let speed = "that can explain a difference of times and rates, and not of counts such as instructions";
        [(clauses(of_machine, names), everything), (clauses(of_speed, names), speed)]
            .into_iter()
            .filter(|(clauses, _)| !clauses.is_empty())
            .map(|(clauses, what)| format!("The {}: {what}.", listed(&clauses, clauses.len())))
            .collect()
    }

    /// The load, if it is much more or less than another one.
    fn load_beside(&self, other: &Environment) -> Option<String> {
        let (own, others) = (self.load?, other.load?);
        let cpus = self.cpus.or(other.cpus).unwrap_or(1) as f64;
        ((own - others).abs() > LOAD * cpus).then(|| format!("{own:.2}"))
    }
}

/// `governor is powersave in A and performance in B`, for what is known of both and differs.
fn clauses<const N: usize>(
    of: [(&str, Option<String>, Option<String>); N],
    names: [&str; 2],
) -> Vec<String> {
    let clause = |(what, one, two): (&str, Option<String>, Option<String>)| {
        let (one, two) = one.zip(two).filter(|(one, two)| one != two)?;
        Some(format!("{what} is {one} in {} and {two} in {}", names[0], names[1]))
    };
    of.into_iter().filter_map(clause).collect()
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
