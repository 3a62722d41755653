use crate::records::Process;
use counterpoint::Note;
use counterpoint::perf::Every;
use counterpoint::profil::write::{Profile, functions, lines};
use counterpoint::profil::{RegionSnapshot, Snapshot};
use counterpoint::profile::Profiled;
use serde_json::{Map, Value, json};

/// A profile in one object; addresses are texts, as JSON's numbers do not hold 64 bits.
pub fn profile(profile: &Profile<'_>, profiled: &Profiled, process: &Process) -> Value {
    let Snapshot { regions, outside, dropped, .. } = profile.snapshot;
    let every = match profiled.every {
        Every::Period(period) => ("period", period),
        Every::Frequency(hertz) => ("frequency", hertz),
    };
    let module = |index: usize| profiled.modules.get(index).map(|m| m.path.display().to_string());
    let regions: Vec<Value> =
        regions.iter().enumerate().map(|(index, r)| region(r, module(index))).collect();
    let mut object = json!({
        "schema": 1,
        "event": profiled.event,
        every.0: every.1,
        "software": profiled.software,
        "terms": profiled.terms,
        "samples": profiled.samples,
        "lost": profiled.lost,
        "outside": outside,
        "dropped": dropped,
        "throttled": profiled.throttled,
        "regions": regions,
    });
    if let (Some(all), Ok(Value::Object(keys))) =
        (object.as_object_mut(), serde_json::to_value(process))
    {
        all.extend(keys);
    }
    if let Some(note) = Note::sentence(&profiled.notes) {
        object["note"] = json!(note);
    }
    object["functions"] = functions(profile)
        .into_iter()
        .map(|f| {
            json!({
                "function": f.function,
                "module": f.module,
                "count": f.count,
                "percent": f.percent,
                "error": f.error,
            })
        })
        .collect();
    object["lines"] = lines(profile)
        .into_iter()
        .map(|l| {
            json!({
                "file": l.file,
                "line": l.line,
                "function": l.function,
                "count": l.count,
                "percent": l.percent,
                "error": l.error,
            })
        })
        .collect();
    object["symbols"] = symbols(profile);
    object
}

fn region(snapshot: &RegionSnapshot, module: Option<String>) -> Value {
    let (start, last) = snapshot.region.span().unwrap_or((snapshot.region.start, 0));
    let buckets: Vec<Value> =
        snapshot.buckets.iter().map(|bucket| json!([hex(bucket.first), bucket.count])).collect();
    let saturated: Vec<String> = snapshot
        .buckets
        .iter()
        .filter(|bucket| bucket.saturated)
        .map(|bucket| hex(bucket.first))
        .collect();
    let mut object = json!({
        "module": module,
        "start": hex(start),
        "end": hex(last.saturating_add(1)),
        "scale": snapshot.region.scale.value(),
        "width": snapshot.width.bits(),
        "buckets": buckets,
    });
    if !saturated.is_empty() {
        object["saturated"] = json!(saturated);
    }
    object
}

/// The names of the buckets' first addresses.
fn symbols(profile: &Profile<'_>) -> Value {
    let buckets = profile.snapshot.regions.iter().flat_map(|region| &region.buckets);
    let named = buckets.filter_map(|bucket| {
        let symbol = (profile.symbols)(bucket.first)?;
        let mut object = Map::new();
        object.insert("function".into(), json!(symbol.function));
        for (key, value) in [
            ("module", json!(symbol.module)),
            ("file", json!(symbol.file)),
            ("line", json!(symbol.line)),
        ] {
            if !value.is_null() {
                object.insert(key.into(), value);
            }
        }
        Some((hex(bucket.first), Value::Object(object)))
    });
    Value::Object(named.collect())
}

fn hex(address: u64) -> String {
    format!("{address:#x}")
}
