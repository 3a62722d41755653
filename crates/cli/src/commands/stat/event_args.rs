//! The options `-e` and `--filter`, whose order matters.

use clap::{Arg, ArgAction, ArgMatches, Command, Error, FromArgMatches};

pub struct EventArgs {
    pub lists: Vec<String>,
    /// Each with the number of lists before it.
    pub filters: Vec<(usize, String)>,
}

impl clap::Args for EventArgs {
    fn augment_args(command: Command) -> Command {
        let events = Arg::new("events").short('e').long("event").value_name("EVENT,…");
        let filter = Arg::new("filter").long("filter").value_name("CONDITION");
        command
            .arg(events.action(ArgAction::Append).help(
                "Count these events: names, `pmu/event/`, rHEX, subsystem:tracepoint, mem:ADDR[/LEN][:rwx], uprobe:FILE:FUNCTION, {groups}, patterns such as sched:*; modifiers :u :k :h :p :D",
            ))
            .arg(filter.action(ArgAction::Append).requires("events").help(
                "Count the last event before this option, which is a tracepoint or a pattern of tracepoints, only where the condition over its fields is true, such as 'prev_pid != 0'",
            ))
    }

    fn augment_args_for_update(command: Command) -> Command {
        EventArgs::augment_args(command)
    }
}

impl FromArgMatches for EventArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EventArgs, Error> {
        let places = |id| matches.indices_of(id).into_iter().flatten().collect::<Vec<_>>();
        let values = |id| matches.get_many::<String>(id).into_iter().flatten().cloned();
        let events = places("events");
        let before = |place: usize| events.iter().filter(|event| **event < place).count();
        let filters = places("filter").into_iter().map(before).zip(values("filter")).collect();
        Ok(EventArgs { lists: values("events").collect(), filters })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = EventArgs::from_arg_matches(matches)?;
        Ok(())
    }
}
