//! Regions, and their report.

use serde_json::Value as Json;

use super::*;

fn regions(events: *const c_char) -> *mut Regions {
    with_options(events, &DEFAULTS)
}

fn with_options(events: *const c_char, options: &Options) -> *mut Regions {
    let mut regions = ptr::null_mut();
    // SAFETY: a place, a string, and options with their size.
    let result = unsafe { counterpoint_regions_open(&mut regions, events, options) };
    assert_eq!(result, COUNTERPOINT_OK, "{}", error());
    regions
}

fn begin(regions: *mut Regions, name: &str) -> c_int {
    // SAFETY: a string.
    unsafe { counterpoint_region_begin(regions, c(name).as_ptr()) }
}

fn end(regions: *mut Regions, name: &str) -> c_int {
    // SAFETY: a string.
    unsafe { counterpoint_region_end(regions, c(name).as_ptr()) }
}

/// The lines of the report.
fn written(regions: *mut Regions, name: &str) -> Vec<Json> {
    let path = file(name);
    // SAFETY: a string.
    let result =
        unsafe { counterpoint_regions_write(regions, c(path.to_str().expect("UTF-8")).as_ptr()) };
    assert_eq!(result, COUNTERPOINT_OK, "{}", error());
    let text = std::fs::read_to_string(&path).expect("it was written");
    std::fs::remove_file(&path).expect("it is there");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn threads_enter_regions_and_one_file_has_all() {
    let regions = regions(c"page-faults".as_ptr());
    std::thread::scope(|scope| {
        for _ in 0..8 {
            // The handle is a number.
            let regions = regions.addr();
            scope.spawn(move || {
                let regions = ptr::without_provenance_mut(regions);
                for _ in 0..3 {
                    assert_eq!(begin(regions, "solve \"it\""), COUNTERPOINT_OK);
                    touch_pages();
                    assert_eq!(end(regions, "solve \"it\""), COUNTERPOINT_OK);
                }
            });
        }
    });
    let lines = written(regions, "threads.json");
    let total = lines.iter().find(|line| line["thread"].is_null()).expect("a total");
    assert_eq!(
        (total["region"].as_str(), total["calls"].as_u64()),
        (Some("solve \"it\""), Some(24))
    );
    assert_eq!(total["status"], "counted");
    assert!(total["value"].as_u64().is_some_and(|faults| faults >= 24 * 2), "{total}");
    let of_threads = |event: &str| {
        let is_it = |line: &&Json| !line["thread"].is_null() && line["event"] == event;
        lines.iter().filter(is_it).count()
    };
    assert_eq!([of_threads("page-faults"), of_threads("duration_time")], [8, 8]);
    assert_eq!(counterpoint_regions_close(regions), COUNTERPOINT_OK);
    assert_eq!(begin(regions, "solve"), COUNTERPOINT_ERROR_HANDLE);
}

#[test]
fn a_region_that_is_not_open_is_not_left() {
    let regions = regions(c"task-clock".as_ptr());
    assert_eq!(end(regions, "never"), COUNTERPOINT_ERROR_REGION);
    assert!(error().contains("`never`"), "{}", error());
    assert_eq!([begin(regions, "a"), begin(regions, "b")], [COUNTERPOINT_OK; 2]);
    // They need not nest.
    assert_eq!([end(regions, "a"), end(regions, "b")], [COUNTERPOINT_OK; 2]);
    assert_eq!(end(regions, "a"), COUNTERPOINT_ERROR_REGION);
    let other = std::thread::scope(|scope| {
        assert_eq!(begin(regions, "mine"), COUNTERPOINT_OK);
        let regions = regions.addr();
        let thread = scope.spawn(move || end(ptr::without_provenance_mut(regions), "mine"));
        thread.join().expect("no panic")
    });
    assert_eq!(other, COUNTERPOINT_ERROR_REGION);
    assert_eq!(end(regions, "mine"), COUNTERPOINT_OK);
    let pid = std::process::id();
    let (name, found) = (file("rank-{rank}.json"), file(&format!("rank-{pid}.json")));
    // SAFETY: a string.
    let result =
        unsafe { counterpoint_regions_write(regions, c(name.to_str().expect("UTF-8")).as_ptr()) };
    assert_eq!(result, COUNTERPOINT_OK, "{}", error());
    std::fs::remove_file(found).expect("this process is no rank, and has its id in the name");
    let path = c("/no/such/directory/report.json");
    // SAFETY: a string.
    let result = unsafe { counterpoint_regions_write(regions, path.as_ptr()) };
    assert_eq!(result, COUNTERPOINT_ERROR_FILE);
    assert_eq!(counterpoint_regions_close(regions), COUNTERPOINT_OK);
}

#[test]
fn an_event_that_cannot_be_counted_has_its_reason_in_the_report() {
    let regions = regions(c"task-clock,cycles".as_ptr());
    assert_eq!([begin(regions, "a"), end(regions, "a")], [COUNTERPOINT_OK; 2]);
    let lines = written(regions, "reason.json");
    let totals = lines.iter().filter(|line| line["thread"].is_null());
    let totals: Vec<&Json> = totals.collect();
    let events: Vec<_> = totals.iter().map(|line| line["event"].as_str()).collect();
    assert_eq!(events, [Some("task-clock"), Some("cycles"), Some("duration_time")]);
    for line in totals {
        assert_eq!(line["value"].is_null(), !line["reason"].is_null(), "{line}");
    }
    assert_eq!(counterpoint_regions_close(regions), COUNTERPOINT_OK);
}

/// What `counterpoint_regions_trace` returns, and what it wrote.
fn traced(regions: *mut Regions, name: &str) -> (c_int, Json) {
    let path = file(name);
    // SAFETY: a string.
    let result =
        unsafe { counterpoint_regions_trace(regions, c(path.to_str().expect("UTF-8")).as_ptr()) };
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let _ = std::fs::remove_file(&path);
    (result, serde_json::from_str(&text).unwrap_or_default())
}

#[test]
fn visits_of_regions_are_in_a_trace_and_in_the_report() {
    let without = regions(c"page-faults".as_ptr());
    assert_eq!(traced(without, "none.json"), (COUNTERPOINT_ERROR_ARGUMENT, Json::Null));
    assert!(error().contains("timeline"), "{}", error());
    assert_eq!(counterpoint_regions_close(without), COUNTERPOINT_OK);

    let regions = with_options(c"page-faults".as_ptr(), &Options { timeline: 3, ..DEFAULTS });
    for name in ["solve", "wait", "solve", "wait"] {
        assert_eq!([begin(regions, name), end(regions, name)], [COUNTERPOINT_OK; 2]);
    }
    let (result, trace) = traced(regions, "trace.json");
    assert_eq!(result, COUNTERPOINT_OK, "{}", error());
    let events = trace["traceEvents"].as_array().expect("a trace");
    let visits = events.iter().filter(|event| event["ph"] == "X");
    let names: Vec<_> = visits.map(|event| event["name"].as_str()).collect();
    assert_eq!(names, [Some("solve"), Some("wait"), Some("solve")], "the first three: {trace}");
    let lines = written(regions, "timeline.json");
    let timeline = &lines.last().expect("lines")["timeline"];
    assert_eq!(timeline["left_out"], 1, "{timeline}");
    assert_eq!(timeline["visits"].as_array().map(Vec::len), Some(3), "{timeline}");
    assert_eq!(counterpoint_regions_close(regions), COUNTERPOINT_OK);
}
