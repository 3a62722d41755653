//! What happens to targets, in few lines however many targets there are.

/// The changes of an interval: a line for each kind of change.
#[derive(Debug, Default)]
pub(crate) struct News(Vec<(String, Vec<String>)>);

impl News {
    /// Adds that a target is now as `state` says.
    pub(crate) fn add(&mut self, target: String, state: &str) {
        match self.0.iter_mut().find(|(known, _)| known == state) {
            Some((_, targets)) if targets.contains(&target) => {}
            Some((_, targets)) => targets.push(target),
            None => self.0.push((state.to_string(), vec![target])),
        }
    }

    /// The sentences since the last call.
    pub(crate) fn take(&mut self) -> Vec<String> {
        let sentence = |(state, targets): (String, Vec<String>)| match targets.as_slice() {
            [] => state,
            [one] => format!("{one} is {state}"),
            [one, other] => format!("{one} and {other} are {state}"),
            [one, rest @ ..] => format!("{one} and {} more are {state}", rest.len()),
        };
        std::mem::take(&mut self.0).into_iter().map(sentence).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_targets_with_one_change_have_one_line() {
        let mut news = News::default();
        for number in 0..200 {
            news.add(format!("cgroup {number}"), "no longer counted: there is no such cgroup");
            news.add(format!("cgroup {number}"), "no longer counted: there is no such cgroup");
        }
        news.add("process 7".to_string(), "counted");
        let expected = [
            "cgroup 0 and 199 more are no longer counted: there is no such cgroup",
            "process 7 is counted",
        ];
        assert_eq!(news.take(), expected);
        assert!(news.take().is_empty());
    }
}
