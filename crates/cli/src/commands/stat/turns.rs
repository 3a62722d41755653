//! Notes about events that have to take turns on the counters, printed before they are counted.

use crate::conflicts::{clash, share};
use crate::records::Multiplexed;
use crate::show::printable;
use counterpoint::planning::PmuPlan;
use counterpoint::pmu::plan::Conflict;

/// More names than this are not read in one line.
const NAMED: usize = 4;

/// The PMUs on which not all events can be counted at the same time; a group that does not fit does not take turns.
pub fn taking(plans: Vec<PmuPlan>) -> Vec<PmuPlan> {
    let takes = |plan: &PmuPlan| plan.plan.passes.len() > 1 && plan.conflicting().next().is_none();
    plans.into_iter().filter(takes).collect()
}

/// The note about a group whose events do not all fit.
pub fn group_note(plan: &PmuPlan) -> Option<String> {
    let unit = plan.conflicting().next()?;
    let conflict = plan.conflict(Some(&unit.events))?;
    let text = format!(
        "a group of {} events does not fit in one pass on {}, and some of them may not be counted; {}, or see `counterpoint plan`",
        unit.events.len(),
        plan.pmu,
        rivals(plan, &conflict, "take some events out of the group"),
    );
    Some(printable(&text).into_owned())
}

/// The events that conflict, all if they are few, and the advice.
fn rivals(plan: &PmuPlan, conflict: &Conflict, advice: &str) -> String {
    if conflict.events.len() <= NAMED {
        return format!("{}; {advice}", clash(plan, conflict));
    }
    let names = conflict.events.iter().take(NAMED);
    let names: Vec<&str> = names.map(|event| plan.events[*event].event.as_str()).collect();
    format!("{advice}: {} and {} more", names.join(", "), conflict.events.len() - NAMED)
}

/// The note about a PMU whose events take turns, and how to avoid it.
pub fn turns_note(plan: &PmuPlan) -> String {
    let events: usize = plan.events.len() - plan.plan.impossible.len();
    let passes = plan.plan.passes.len();
    let mut text = format!(
        "{events} events need {passes} passes on {}: each event is counted about {} of the time; ",
        plan.pmu,
        share(plan)
    );
    text += &match plan.conflict(None) {
        Some(conflict) => rivals(plan, &conflict, "leave out some events"),
        None => "leave out some events".to_string(),
    };
    text += ", or see `counterpoint plan`";
    printable(&text).into_owned()
}

/// The same for programs.
pub fn record(plan: &PmuPlan) -> Multiplexed<'_> {
    let conflict = plan.conflict(None).map(|conflict| {
        let name = |event: &usize| plan.events[*event].event.as_str();
        conflict.events.iter().map(name).collect()
    });
    Multiplexed {
        pmu: &plan.pmu,
        events: plan.events.len(),
        passes: plan.plan.passes.len(),
        optimal: plan.plan.optimal,
        coverage: plan.coverage(),
        conflict,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterpoint::{EventSet, Machine, Target, pmu};

    fn plans(pmu: &str, events: &str) -> Vec<PmuPlan> {
        let machine = Machine::of_pmu(pmu::find(pmu).unwrap());
        let set = EventSet::with_machine(machine, Target::ThisThread).event(events);
        taking(set.plan().unwrap().pmus)
    }

    #[test]
    fn what_fits_is_not_worth_a_word() {
        assert!(plans("amd64_fam19h_zen4", "cycles,instructions,task-clock").is_empty());
    }

    #[test]
    fn turns_are_announced_with_what_is_in_the_way() {
        let power = plans("power9", "PM_L1_DCACHE_RELOAD_VALID,PM_LD_MISS_L1,PM_RUN_CYC");
        assert_eq!(
            turns_note(&power[0]),
            "3 events need 2 passes on power9: each event is counted about 50% of the time; \
             PM_L1_DCACHE_RELOAD_VALID and PM_LD_MISS_L1 are 2 events for 1 counter, 2; \
             leave out some events, or see `counterpoint plan`"
        );
        let record = record(&power[0]);
        assert_eq!((record.passes, record.coverage), (2, 0.5));
        assert_eq!(record.conflict.unwrap(), ["PM_L1_DCACHE_RELOAD_VALID", "PM_LD_MISS_L1"]);

        let crowd = "{cycles,instructions,branches,branch-misses,r1,r2,r3}";
        assert!(plans("amd64_fam19h_zen4", crowd).is_empty(), "they take no turns");

        let many = plans("amd64_fam19h_zen4", "r1,r2,r3,r4,r5,r6,r7");
        let text = turns_note(&many[0]);
        assert!(
            text.contains("leave out some events: r1, r2, r3, r4 and 3 more, or see"),
            "{text}"
        );
    }
    #[test]
    fn a_group_that_does_not_fit_is_announced() {
        let machine = Machine::of_pmu(pmu::find("amd64_fam19h_zen4").unwrap());
        let set =
            EventSet::with_machine(machine, Target::ThisThread).event("{r1,r2,r3,r4,r5,r6,r7}");
        let plan = &set.plan().unwrap().pmus[0];
        assert_eq!(
            group_note(plan).unwrap(),
            "a group of 7 events does not fit in one pass on amd64_fam19h_zen4, and some of them may not be counted; \
             take some events out of the group: r1, r2, r3, r4 and 3 more, or see `counterpoint plan`"
        );
    }
}
