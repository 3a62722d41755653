//! Whether events have to take turns on the counters: said before they are counted.

use crate::commands::plan::{clash, share};
use crate::show::printable;
use counterpoint::PmuPlan;
use serde_json::{Value, json};

/// More names than this are not read in one line.
const NAMED: usize = 4;

/// The PMUs on which not all events can be counted at the same time.
pub fn taking(plans: Vec<PmuPlan>) -> Vec<PmuPlan> {
    plans.into_iter().filter(|plan| plan.plan.passes.len() > 1).collect()
}

/// What there is to say of one, and how to avoid it.
pub fn sentence(plan: &PmuPlan) -> String {
    let events: usize = plan.events.len() - plan.plan.impossible.len();
    let passes = plan.plan.passes.len();
    let mut text = format!(
        "{events} events need {passes} passes on {}: each is counted about {} of the time; ",
        plan.pmu,
        share(plan)
    );
    match plan.conflict(None) {
        Some(conflict) if conflict.events.len() <= NAMED => {
            text += &format!("{}; leave out some", clash(plan, &conflict));
        }
        Some(conflict) => {
            let names = conflict.events.iter().take(NAMED);
            let names: Vec<String> = names.map(|event| plan.events[*event].event.clone()).collect();
            let more = conflict.events.len() - NAMED;
            text += &format!("leave out some of {} and {more} more", names.join(", "));
        }
        None => text += "leave out some",
    }
    text += ", or see `counterpoint plan`";
    printable(&text).into_owned()
}

/// The same for programs.
pub fn object(plan: &PmuPlan) -> Value {
    let conflict = plan.conflict(None).map(|conflict| {
        let name = |event: &usize| plan.events[*event].event.as_str();
        conflict.events.iter().map(name).collect::<Vec<_>>()
    });
    json!({
        "pmu": plan.pmu,
        "events": plan.events.len(),
        "passes": plan.plan.passes.len(),
        "optimal": plan.plan.optimal,
        "coverage": plan.coverage(),
        "conflict": conflict,
    })
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
            sentence(&power[0]),
            "3 events need 2 passes on power9: each is counted about 50% of the time; \
             PM_L1_DCACHE_RELOAD_VALID and PM_LD_MISS_L1 are 2 events for 1 counter, 2; \
             leave out some, or see `counterpoint plan`"
        );
        let object = object(&power[0]);
        assert_eq!((&object["passes"], &object["coverage"]), (&json!(2), &json!(0.5)));
        assert_eq!(object["conflict"], json!(["PM_L1_DCACHE_RELOAD_VALID", "PM_LD_MISS_L1"]));

        let many = plans("amd64_fam19h_zen4", "r1,r2,r3,r4,r5,r6,r7");
        let text = sentence(&many[0]);
        assert!(text.contains("leave out some of r1, r2, r3, r4 and 3 more, or see"), "{text}");
    }
}
