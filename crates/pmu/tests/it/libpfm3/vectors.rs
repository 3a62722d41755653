//! The answers of libpfm 3.10 to requests, and those of this crate.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;

use counterpoint_pmu::libpfm3::{
    Assignment, DispatchError, ErrorKind, Model, ModelInput, PmcSet, Request, dispatch,
};
use flate2::read::GzDecoder;
use serde_json::Value;

use super::checker::{FACTS, Facts};
use super::request;

const DIFFERENCES: &str = include_str!("../../../DIFFERENCES.md");

/// The lines of a file of `fixtures/dispatch`.
pub(crate) fn lines(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/dispatch").join(name);
    let file = std::fs::File::open(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).expect("a compressed text");
    text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

/// One vector of a model, and what is answered to it.
struct Case<'a> {
    facts: &'a Facts,
    vector: &'a Value,
    request: Request,
    result: Result<Assignment, DispatchError>,
}

impl Case<'_> {
    fn text(&self, key: &str) -> &str {
        self.vector[key].as_str().unwrap_or("")
    }

    /// The answer is right; the keys under which DIFFERENCES.md counts it, if it is not libpfm-3's.
    fn judge(&self) -> Result<Vec<String>, String> {
        if let Ok(assignment) = &self.result {
            self.facts.check(&self.request, assignment)?;
            if assignment.pmds.iter().any(|pmd| pmd.value != 0) {
                return Err("a PMD has a value".to_owned());
            }
        }
        if self.vector.get("undecided").is_some() {
            return Ok(vec!["undecided".to_owned()]);
        }
        let is_granted =
            self.vector["exp"]["ret"] == "SUCCESS" || self.text("class") == "false-reject";
        if is_granted && self.replays_disagree() {
            self.refused("NOASSIGN")?;
            return Ok(vec!["replay-twice".to_owned()]);
        }
        self.as_libpfm3()?;
        let class = self.text("class");
        if self.names_an_event_that_a_conflict_hides()? {
            return Ok(vec!["other-error-first".to_owned()]);
        }
        let why: Vec<&str> = match self.vector.get("notes").filter(|_| class == "agree") {
            Some(notes) => names(notes),
            None => names(&self.vector["why"]),
        };
        match (class, why.is_empty()) {
            ("agree", true) => self.same(),
            ("agree", false) => self.corrected(&why),
            // The valid counters were found without looking at what is not available.
            ("false-reject", _) if why == ["privilege"] && self.control_is_unavailable() => {
                self.refused("NOASSIGN")
            }
            ("false-reject", _) => self.valid(),
            ("invalid-success", _) if self.vector.get("right_error").is_some() => {
                self.refused(self.text("right_error"))
            }
            // The valid counters were found without looking at the counter masks.
            ("invalid-success", _) if why == ["cnt-mask-lost"] && self.mask_too_large() => {
                self.refused("INVAL")
            }
            // Sampling that the input asks for has one register only.
            ("invalid-success", _) if self.sampling_unavailable() => self.refused("NOASSIGN"),
            ("invalid-success", _) => self.valid(),
            ("wrong-code", _) => self.refused(self.text("manual")),
            _ => Err(format!("no class {class}")),
        }?;
        Ok(match (class, why.is_empty()) {
            ("agree", true) => vec!["agree".to_owned()],
            (_, true) => vec![self.text("manual").to_owned()],
            _ => why.into_iter().map(str::to_owned).collect(),
        })
    }

    /// Both refuse it; here, because an event is invalid by itself, whatever else is counted.
    fn names_an_event_that_a_conflict_hides(&self) -> Result<bool, String> {
        let wanted = match self.text("class") {
            "agree" => self.vector["exp"]["ret"].as_str().unwrap_or(""),
            "wrong-code" => self.text("manual"),
            _ => self.text("right_error"),
        };
        let Err(error) = &self.result else { return Ok(false) };
        let is_other = !["", "SUCCESS", error.kind().name()].contains(&wanted);
        let (Some(event), true) = (error.event(), is_other) else { return Ok(false) };
        if error.kind() == ErrorKind::NoAssign {
            return Ok(false);
        }
        let events = vec![self.request.events[event].clone()];
        let alone = Request { events, unavailable: PmcSet::default(), ..self.request.clone() };
        let model = Model::find(self.facts.model).expect("a model");
        match dispatch(model, &alone) {
            Err(own) if own.kind() == error.kind() => Ok(true),
            _ => Err(format!("event {event} is valid by itself: {error}")),
        }
    }

    /// Of what both refuse, libpfm-3's code is known too.
    fn as_libpfm3(&self) -> Result<(), String> {
        let wanted = self.vector["exp"]["ret"].as_str().unwrap_or("");
        match &self.result {
            // Those that it refuses wrongly are other refusals.
            Err(error) if wanted != "SUCCESS" && self.text("class") != "false-reject" => {
                let found = error.as_libpfm3().name();
                if found == wanted { Ok(()) } else { Err(format!("as libpfm-3: {found}")) }
            }
            _ => Ok(()),
        }
    }

    fn same(&self) -> Result<(), String> {
        let mut found = answer(&self.vector["req"], &self.result);
        let message = found.as_object_mut().and_then(|found| found.remove("message"));
        if self.result.is_err() != message.is_some_and(|message| message.is_string()) {
            return Err("an error alone has a message".to_owned());
        }
        if found == self.vector["exp"] { Ok(()) } else { Err(format!("not so: {found}")) }
    }

    /// All but what the note names is as libpfm-3 has it.
    fn corrected(&self, notes: &[&str]) -> Result<(), String> {
        if notes != ["wrong-address"] {
            return self.valid();
        }
        let (mut found, mut wanted) =
            (answer(&self.vector["req"], &self.result), self.vector["exp"].clone());
        for answer in [&mut found, &mut wanted] {
            answer["pmc_alt"] = Value::Null;
            answer["pmd_alt"] = Value::Null;
            for list in ["/pmcs", "/pmds", "/mod_out/irange/br", "/mod_out/drange/br"] {
                let list = answer.pointer_mut(list).and_then(Value::as_array_mut);
                for register in list.into_iter().flatten().filter_map(Value::as_array_mut) {
                    register.pop();
                }
            }
        }
        if found == wanted { Ok(()) } else { Err(format!("but for addresses: {found}")) }
    }

    /// Replay events of the Pentium 4 ask for different sampling, which has one register of each kind.
    fn replays_disagree(&self) -> bool {
        if !self.facts.model.starts_with("pentium4") {
            return false;
        }
        let of = |line: &str, key: &str| {
            let word = line.split(' ').find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
            word.map_or(0, |word| {
                u64::from_str_radix(word.trim_start_matches("0x"), 16).expect("a number")
            })
        };
        let rows: Vec<[u64; 2]> = (self.facts.heads("replay"))
            .map(|line| [of(line, "enb"), of(line, "mat_vert")])
            .collect();
        let is_replay = |event: usize| self.facts.words(event).next() == Some("replay_event");
        let known = self.request.events.iter().filter(|event| self.facts.has(event.event));
        let events = known.filter(|event| is_replay(event.event));
        let values = events.map(|event| {
            let asked =
                event.masks.iter().filter(|mask| **mask >= 2).filter_map(|mask| rows.get(*mask));
            asked.fold([0, 0], |all, row| [all[0] | row[0], all[1] | row[1]])
        });
        values.filter(|value| value[0] != 0).collect::<BTreeSet<_>>().len() > 1
    }

    /// A group of PowerPC events needs all three control registers.
    fn control_is_unavailable(&self) -> bool {
        (0..3).any(|pmc| self.request.unavailable.contains(pmc))
    }

    fn mask_too_large(&self) -> bool {
        self.request.events.iter().any(|event| event.options.threshold > 255)
    }

    fn sampling_unavailable(&self) -> bool {
        let Some(ModelInput::Amd64(input)) = &self.request.input else { return false };
        let unavailable = |pmc| self.request.unavailable.contains(pmc);
        input.fetch.is_some() && unavailable(6) || input.op.is_some() && unavailable(7)
    }

    /// There is an assignment, and the checker has seen it.
    fn valid(&self) -> Result<(), String> {
        self.result.as_ref().map(|_| ()).map_err(ToString::to_string)
    }

    fn refused(&self, with: &str) -> Result<(), String> {
        match &self.result {
            Err(error) if error.kind().name() == with => Ok(()),
            Err(error) => Err(error.to_string()),
            Ok(_) => Err(format!("not refused: {}", answer(&self.vector["req"], &self.result))),
        }
    }
}

/// The answer, as the program writes it.
fn answer(request: &Value, result: &Result<Assignment, DispatchError>) -> Value {
    serde_json::to_value(super::answer::answer(request, result)).expect("an answer is JSON")
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Judges every vector of a model; how many there are by key.
fn judge(model: &'static Model, counts: &mut BTreeMap<String, usize>, wrong: &mut Vec<String>) {
    let facts = &FACTS[model.name()];
    for vector in &lines(&format!("{}.jsonl.gz", model.name())) {
        let request = request::read(model, &vector["req"]).expect("a request");
        let result = dispatch(model, &request);
        match (Case { facts, vector, request, result }).judge() {
            Ok(keys) => keys.into_iter().for_each(|key| *counts.entry(key).or_default() += 1),
            Err(problem) => wrong.push(format!("{}: {problem}\n  {vector}", model.name())),
        }
    }
}

#[test]
fn every_answer_is_libpfm3s_or_better() {
    let (mut counts, mut wrong) = (BTreeMap::new(), Vec::new());
    for model in Model::all() {
        judge(model, &mut counts, &mut wrong);
    }
    let total: usize = counts.values().sum();
    assert!(
        wrong.is_empty(),
        "{} of {total}: {}",
        wrong.len(),
        wrong[..wrong.len().min(9)].join("\n")
    );
    assert!(counts["agree"] > 100 * Model::all().len(), "{counts:?}");
    for (key, count) in counts.iter().filter(|(key, _)| *key != "agree") {
        let row = DIFFERENCES.lines().find(|line| line.starts_with(&format!("| {key} |")));
        let counted = row.and_then(|row| row.trim_end_matches(" |").rsplit(' ').next());
        assert_eq!(counted, Some(count.to_string().as_str()), "DIFFERENCES.md, {key}");
    }
}

/// The error that is right, and that of libpfm 3.10.
#[test]
fn events_are_judged_one_by_one_before_their_conflicts() {
    for (request, kind, libpfm3) in [
        (
            r#"{"model":"pentium4_m3","events":[{"i":14,"u":[5]},{"i":37,"u":[1],"plm":15}],"dfl_plm":9,"unavail":[54,55]}"#,
            "INVAL",
            "NOASSIGN",
        ),
        (
            r#"{"model":"intel_nhm_ex","events":[{"i":17,"u":[1]},{"i":41,"u":[0]},{"i":69,"u":[4]},{"i":1},{"i":37}],"dfl_plm":9,"mod_in":{"counters":[{},{},{},{"cnt_mask":255,"flags":4},{"cnt_mask":256}]}}"#,
            "INVAL",
            "NOASSIGN",
        ),
        (
            r#"{"model":"amd64_fam10h_revd","events":[{"i":119},{"i":122,"u":[2]},{"i":97,"u":[3]},{"i":112}],"dfl_plm":8,"unavail":[1,3]}"#,
            "BADHOST",
            // It looks for the revision at the event whose place in the request is the number of the next counter.
            "BADHOST",
        ),
        (
            r#"{"model":"itanium2","events":[{"i":340},{"i":344}],"dfl_plm":8,"mod_in":{"pmc9":{"used":1,"val":"0x0"}}}"#,
            "FEATCOMB",
            "NOASSIGN",
        ),
        (
            r#"{"model":"montecito","events":[{"i":404}],"dfl_plm":15,"unavail":[4],"mod_in":{"counters":[{"flags":2}]}}"#,
            "NOTSUPP",
            "NOASSIGN",
        ),
    ] {
        let value: Value = serde_json::from_str(request).expect("JSON");
        let model = Model::find(value["model"].as_str().expect("a model")).expect("a model");
        let request = request::read(model, &value).expect("a request");
        let error = dispatch(model, &request).expect_err("a refusal");
        assert_eq!((error.kind().name(), error.as_libpfm3().name()), (kind, libpfm3), "{value}");
    }
}
