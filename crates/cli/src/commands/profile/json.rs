use crate::records::Process;
use counterpoint::Note;
use counterpoint::perf::Every;
use counterpoint::profil::write::{FunctionCount, LineCount, Place, Profile, functions, lines};
use counterpoint::profil::{RegionSnapshot, Snapshot};
use counterpoint::profile::Profiled;
use serde_json::{Value, json};

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
        "unit": profile.unit(),
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
    object["functions"] = functions(profile).into_iter().map(function).collect();
    object["lines"] = lines(profile).into_iter().map(line).collect();
    object["symbols"] = symbols(profile);
    object
}

fn function(of: FunctionCount) -> Value {
    let mut function = json!({
        "function": of.function,
        "module": of.module,
        "count": of.count,
        "percent": of.percent,
        "error": of.error,
    });
    if let Some(place) = &of.shared {
        shared(&mut function, place);
    }
    function
}

fn line(of: LineCount) -> Value {
    json!({
        "file": of.lines.file,
        "line": of.lines.first,
        "last_line": of.lines.last,
        "function": of.function,
        "count": of.count,
        "percent": of.percent,
        "error": of.error,
    })
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
    if snapshot.wrapped > 0 {
        object["wrapped"] = json!(snapshot.wrapped);
    }
    if !saturated.is_empty() {
        object["saturated"] = json!(saturated);
    }
    object
}

/// The names of the buckets, by their first addresses.
fn symbols(profile: &Profile<'_>) -> Value {
    let regions = profile.snapshot.regions.iter();
    let placed = regions.filter(|region| !region.region.is_catch_all());
    let named = placed.flat_map(|region| &region.buckets).filter_map(|bucket| {
        let place = profile.place(bucket);
        if place.functions.is_empty() {
            return None;
        }
        let mut object = json!({ "function": place.to_string() });
        if let Some(module) = &place.module {
            object["module"] = json!(module);
        }
        if let Some(lines) = &place.lines {
            object["file"] = json!(lines.file);
            object["line"] = json!(lines.first);
            object["last_line"] = json!(lines.last);
        }
        if place.is_shared() {
            shared(&mut object, &place);
        }
        Some((hex(bucket.first), object))
    });
    Value::Object(named.collect())
}

/// The addresses of a bucket that several functions share, and all of their names.
fn shared(object: &mut Value, place: &Place) {
    object["start"] = json!(hex(place.first));
    object["end"] = json!(hex(place.last.saturating_add(1)));
    object["functions"] = json!(place.functions);
}

fn hex(address: u64) -> String {
    format!("{address:#x}")
}
