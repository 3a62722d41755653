//! Hints of the libraries, in the words and with the options of this program.

use counterpoint::{Hint, perf};

/// The hint as the line of help that follows a message.
pub fn help(hint: &Hint) -> String {
    match hint {
        Hint::Perf(perf::Hint::UseRunningMachine) => {
            "leave out --machine to count on the running machine".to_string()
        }
        Hint::Perf(perf::Hint::UnwindOtherwise) => {
            "use --call-graph fp, or --call-graph dwarf for code without frame pointers".to_string()
        }
        Hint::ListEvents => "`counterpoint list` shows what can be counted here".to_string(),
        Hint::ListMetrics => {
            "`counterpoint list --metrics` shows the metrics; --metrics FILE|DIR adds those of files".to_string()
        }
        Hint::OtherPmu { pmu, event } => format!(
            "`counterpoint list WORDS…` searches for a similar event here; for another machine, encode it with its PMU: `counterpoint encode {pmu}::{event}`"
        ),
        Hint::DefinedFor { pmu, .. } if pmu.is_empty() => {
            format!("{hint}, as `counterpoint list --pmus` lists them")
        }
        Hint::DefinedFor { pmu, name } => format!(
            "`counterpoint show --pmu {pmu} {name}` shows it; to count it here, {hint}, as `counterpoint list --pmus` lists them"
        ),
        Hint::KnownComponents => {
            format!("{hint}; `counterpoint list` shows what can be counted here")
        }
        Hint::CountAllCpus { event } => format!(
            "count on all CPUs while the command runs: counterpoint stat -a -e {event} -- COMMAND"
        ),
        Hint::CountOn { event, cpus } => {
            format!("counterpoint stat -C {cpus} -e {event} -- COMMAND")
        }
        Hint::GivePeriod => "give the number of events between samples: -c 100000".to_string(),
        Hint::NameEvent => "name one with -e, such as -e task-clock".to_string(),
        _ => hint.to_string(),
    }
}

/// The hint as the fix of a finding of `doctor`: a command, if there is one.
pub fn fix(hint: &Hint) -> String {
    match hint {
        Hint::Perf(perf::Hint::GrantCapability) => {
            "sudo setcap cap_perfmon+ep \"$(command -v counterpoint)\"".to_string()
        }
        Hint::Perf(perf::Hint::ReadTracefs) => "sudo counterpoint list --all".to_string(),
        _ => hint.command().unwrap_or_else(|| help(hint)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterpoint::perf::CpuSet;

    #[test]
    fn only_the_program_names_its_options() {
        let event = || "cycles".to_string();
        let cpus: CpuSet = "0".parse().unwrap();
        for (hint, words) in [
            (Hint::Perf(perf::Hint::UseRunningMachine), "--machine"),
            (Hint::Perf(perf::Hint::UnwindOtherwise), "--call-graph"),
            (Hint::ListEvents, "counterpoint list"),
            (Hint::ListMetrics, "counterpoint list --metrics"),
            (Hint::DefinedFor { pmu: "skx".into(), name: "X".into() }, "show --pmu skx X"),
            (Hint::KnownComponents, "counterpoint list"),
            (Hint::OtherPmu { pmu: "skx", event: event() }, "counterpoint encode skx::cycles"),
            (Hint::CountAllCpus { event: event() }, "stat -a -e cycles"),
            (Hint::CountOn { event: event(), cpus }, "stat -C 0 -e cycles"),
            (Hint::GivePeriod, "-c"),
            (Hint::NameEvent, "-e"),
        ] {
            assert!(help(&hint).contains(words), "{hint:?}");
            let neutral = hint.to_string();
            assert!(!neutral.contains("counterpoint ") && !neutral.contains(" -"), "{neutral}");
        }
        let capability = Hint::Perf(perf::Hint::GrantCapability);
        assert!(fix(&capability).contains("counterpoint"));
        assert_eq!(fix(&Hint::CountFewer), "sudo sysctl kernel.nmi_watchdog=0");
    }
}
