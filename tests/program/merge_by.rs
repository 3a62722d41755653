//! `counterpoint merge`: ranks, nodes and sockets that are compared, and ranks that are missing.

use crate::merge::{Reports, lines, merge};
use crate::{run, stderr, stdout};
use serde_json::{Value, json};

/// The rows of a rank: its time and page faults, and the energy of its node, which local rank 0 counts.
fn report(rank: u64, node: &str, local_rank: u64, ms: u64) -> String {
    let process = format!(
        r#""job":"77","rank":{rank},"ranks":4,"local_rank":{local_rank},"host":"{node}","pid":{}"#,
        rank + 100
    );
    let row = |event: &str, unit: &str, value: u64| {
        format!(
            r#"{{"schema":1,{process},"event":"{event}","canonical":"{event}","value":{value},"status":"counted","unit":{unit},"raw":{value},"coverage":1.0}}"#
        )
    };
    let energy = match local_rank {
        0 => row("power/energy-pkg/", "\"Joules\"", 50),
        _ => format!(
            r#"{{"schema":1,{process},"event":"power/energy-pkg/","canonical":"power/energy-pkg/","value":null,"status":"not-counted","unit":"Joules","reason":"counted by local rank 0 of this node","counted_elsewhere":true}}"#
        ),
    };
    let ratio = format!(
        r#"{{"schema":1,{process},"event":"RATIO","canonical":"RATIO","value":0.5,"status":"counted","unit":null,"coverage":1.0}}"#
    );
    let summary = format!(r#"{{"schema":1,"summary":{{{process},"command":["solve"],"runs":1}}}}"#);
    let time = row("task-clock", "\"ns\"", ms * 1_000_000);
    [time, row("page-faults", "null", 10), energy, ratio, summary].join("\n")
}

/// Those four ranks, and ranks 4 and 5, which have no report.
fn six() -> Vec<String> {
    four().iter().map(|text| text.replace("\"ranks\":4", "\"ranks\":6")).collect()
}

/// Four ranks on two nodes, of which rank 3 is slow.
fn four() -> Vec<String> {
    [(0, "node01", 0, 90), (1, "node01", 1, 90), (2, "node02", 0, 90), (3, "node02", 1, 130)]
        .map(|(rank, node, local, ms)| report(rank, node, local, ms))
        .to_vec()
}

fn merged(name: &str, texts: &[String], options: &[&str]) -> (String, String) {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (reports, _) = Reports::new(name, &texts);
    let folder = reports.0.display().to_string();
    let output = run(&[&["merge"], options, &[&folder]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    (stdout(&output), stderr(&output))
}

#[test]
fn the_slow_rank_is_named_with_its_host_and_share() {
    let (text, _) = merged("slow", &four(), &[]);
    assert!(
        text.contains("rank 3 on node02 takes 30 % longer than the mean (task-clock)"),
        "{text}"
    );
    let row = text.lines().find(|line| line.ends_with("task-clock (ns)")).unwrap();
    assert!(row.contains("3 (node02)") && row.contains("30.0 %"), "{text}");
    let (out, _) = merged("slow-json", &four(), &["--json"]);
    let row = &lines(&out)[0];
    assert_eq!((&row["max_rank"], &row["max_host"]), (&json!(3), &json!("node02")), "{row}");
    assert!((row["imbalance"].as_f64().unwrap() - 0.3).abs() < 1e-9, "{row}");
    let even: Vec<String> = (0..4).map(|rank| report(rank, "node01", rank, 100 + rank)).collect();
    let (text, _) = merged("even", &even, &[]);
    assert!(text.contains("no rank takes 5 % longer than the mean"), "{text}");
}

#[test]
fn ranks_without_a_report_are_named() {
    let (text, _) = merged("missing", &six(), &[]);
    assert!(text.contains("2 of 6 ranks of job 77 have no report: 4-5"), "{text}");
    let (out, _) = merged("missing-json", &six(), &["--json"]);
    let summary = lines(&out).pop().unwrap();
    let missing = json!([{"job": "77", "ranks": 6, "count": 2, "missing": "4-5"}]);
    assert_eq!(summary["summary"]["missing_ranks"], missing);
    let row = &lines(&out)[0];
    assert_eq!((&row["value"], &row["status"]), (&Value::Null, &json!("not-counted")), "{row}");
    assert_eq!(row["reason"], "2 of 6 ranks of job 77 have no report: 4-5");
    assert!(row["mean"].is_f64(), "of those that have one: {row}");
    let (_, error) = merged("missing-csv", &six(), &["--csv"]);
    assert!(error.contains("2 of 6 ranks of job 77 have no report: 4-5"), "{error}");
    let others = [report(1, "n", 1, 9), report(2, "n", 2, 9), report(5, "n", 3, 9)]
        .map(|text| text.replace("\"ranks\":4", "\"ranks\":6"));
    let (text, _) = merged("missing-more", &others, &[]);
    assert!(text.contains("3 of 6 ranks of job 77 have no report: 0,3-4"), "{text}");
}

#[test]
fn files_of_an_earlier_run_are_suspected() {
    let mut texts = six();
    texts.push(report(7, "node02", 2, 90).replace("\"ranks\":4", "\"ranks\":8"));
    let says =
        "the reports of job 77 are of runs with 6 ranks and with 8: older files may be among them";
    let all: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (reports, _) = Reports::new("stale-refused", &all);
    let refused = run(&["merge", &reports.0.display().to_string()]);
    assert_eq!((refused.status.code(), stdout(&refused)), (Some(2), String::new()));
    assert!(stderr(&refused).contains(says) && stderr(&refused).contains("--mixed"));
    let (text, error) = merged("stale", &texts, &["--mixed"]);
    assert!(error.contains(says), "{error}");
    assert!(text.contains("3 of 8 ranks of job 77 have no report: 4-6"), "{text}");
    assert_eq!(merged("not-stale", &four(), &[]).1, "");
}

#[test]
fn the_energy_of_a_node_is_added_up_once() {
    let (out, _) = merged("energy", &four(), &["--json"]);
    let energy = &lines(&out)[2];
    assert_eq!((&energy["value"], &energy["status"]), (&json!(100), &json!("counted")), "{energy}");
    assert_eq!(energy["per_rank"][1]["reason"], "counted by local rank 0 of this node");
    // The rank that counted node02 has no report.
    let mut lost = four();
    lost.remove(2);
    let (out, _) = merged("energy-lost", &lost, &["--json"]);
    let energy = &lines(&out)[2];
    assert_eq!((&energy["value"], &energy["status"]), (&Value::Null, &json!("not-counted")));
    assert_eq!(energy["reason"], "rank 3: counted by local rank 0 of this node");
}

#[test]
fn nodes_and_sockets_are_compared() {
    let (out, _) = merged("nodes", &four(), &["--json", "--by", "node"]);
    let rows = lines(&out);
    assert_eq!((&rows[0]["value"], &rows[0]["max_host"]), (&json!(400_000_000), &json!("node02")));
    assert_eq!((&rows[0]["mean"], &rows[0]["processes"]), (&json!(200_000_000.0), &json!(2)));
    let second = json!({"host": "node02", "value": 220_000_000, "status": "counted"});
    assert_eq!(rows[0]["per_node"][1], second);
    assert_eq!((&rows[2]["value"], &rows[2]["per_node"][0]["value"]), (&json!(100), &json!(50)));
    assert_eq!(rows[3]["per_node"][0]["reason"], "the values of a formula do not add up");
    let (text, _) = merged("nodes-text", &four(), &["--by", "node"]);
    assert!(text.contains("node02 takes 10 % longer than the mean (task-clock)"), "{text}");
    let listed = text.lines().skip_while(|line| *line != "task-clock (ns)").nth(2).unwrap();
    assert_eq!(
        listed.split_whitespace().collect::<Vec<_>>(),
        ["node02", "220,000,000", "+10.0", "%"]
    );

    let row = |rank: u64, socket: u32, value: u64| {
        format!(
            r#"{{"schema":1,"rank":{rank},"host":"node0{rank}","event":"cycles","canonical":"cycles","value":{value},"status":"counted","unit":null,"raw":{value},"coverage":1.0,"socket":{socket}}}"#
        )
    };
    let end = |rank: u64| {
        format!(
            r#"{{"schema":1,"summary":{{"rank":{rank},"host":"node0{rank}","command":["a"]}}}}"#
        )
    };
    let texts = [
        [row(1, 0, 5), row(1, 1, 6), end(1)].join("\n"),
        [row(2, 0, 5), row(2, 1, 8), end(2)].join("\n"),
    ];
    let (out, _) = merged("sockets", &texts, &["--json", "--by", "socket"]);
    let cycles = &lines(&out)[0];
    assert_eq!((&cycles["value"], &cycles["mean"]), (&json!(24), &json!(6.0)), "{cycles}");
    assert_eq!((&cycles["max_host"], &cycles["max_socket"]), (&json!("node02"), &json!(1)));
    let (csv, _) = merged("sockets-csv", &texts, &["--csv=;", "--by", "socket"]);
    assert_eq!(csv.lines().count(), 5, "{csv}");
    assert!(csv.lines().last().unwrap().starts_with("cycles;cycles;;8;counted;"), "{csv}");

    let (reports, _) = Reports::new("no-sockets", &[&four()[0]]);
    let output = run(&["merge", "--by", "socket", &reports.0.display().to_string()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no row is of a socket"), "{}", stderr(&output));
}

#[test]
fn values_of_ranks_are_listed_and_written_as_csv() {
    let (text, _) = merged("ranks-text", &four(), &["--by", "rank"]);
    let listed: Vec<&str> =
        text.lines().skip_while(|line| *line != "task-clock (ns)").skip(1).take(4).collect();
    assert!(listed[0].contains("0 (node01)") && listed[0].ends_with("-10.0 %"), "{text}");
    assert!(listed[3].contains("3 (node02)") && listed[3].ends_with("+30.0 %"), "{text}");
    assert!(text.contains("counted by local rank 0 of this node"), "{text}");

    let (csv, _) = merged("csv", &four(), &["--csv"]);
    let table: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let column = |name: &str| table[0].iter().position(|head| *head == name).unwrap();
    assert_eq!(table.len(), 5, "{csv}");
    assert!(table.iter().all(|row| row.len() == table[0].len()), "{csv}");
    assert_eq!((table[1][column("max_rank")], table[1][column("value")]), ("3", "400000000"));
    assert_eq!((table[3][column("unit")], table[3][column("value")]), ("Joules", "100"));
    assert_eq!(table[4][column("value")], "", "a formula has no total");
    let (csv, _) = merged("csv-ranks", &four(), &["--csv", "--by", "rank"]);
    assert_eq!(csv.lines().count(), 1 + 4 * 4, "{csv}");
    assert!(csv.contains(",77,2,node02,102,"), "{csv}");
}

#[test]
fn a_file_that_is_not_a_report_does_not_keep_the_others_from_being_merged() {
    let texts = four();
    let (rows, _) = texts[1].split_once("\n{\"schema\":1,\"summary\"").unwrap();
    let half = format!("{rows}\n{{\"schema\":1,\"event\"");
    let (code, out, error) = merge("half", true, &[&texts[0], &half, &texts[3]]);
    assert_eq!(code, 2, "the status says that a line was left out");
    assert!(error.contains("1.jsonl: line 5: not JSON from column"), "{error}");
    let rows = lines(&out);
    assert_eq!((&rows[0]["processes"], &rows[4]["summary"]["reports"]), (&json!(3), &json!(3)));
    assert_eq!(rows[0]["value"], Value::Null, "there is no total with half a report");
    let (code, out, _) = merge("none", true, &[&texts[0], "none", &texts[3]]);
    assert_eq!((code, &lines(&out)[4]["summary"]["reports"]), (2, &json!(2)));
}

#[test]
fn a_directory_is_the_reports_in_it() {
    let texts = four();
    let (reports, _) = Reports::new("folder", &[&texts[0], &texts[1]]);
    std::fs::write(reports.0.join("job.out"), "no report").unwrap();
    let folder = reports.0.display().to_string();
    let output = run(&["merge", "--json", &folder]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(lines(&stdout(&output))[4]["summary"]["reports"], 2);
    let (empty, _) = Reports::new("empty-folder", &[]);
    let output = run(&["merge", &empty.0.display().to_string()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no report is in this directory"), "{}", stderr(&output));
}

#[test]
fn threads_of_ranks_are_compared_by_region() {
    let row = |rank: u32, thread: Option<u32>, ms: u64| {
        let thread = thread.map_or(String::new(), |thread| format!(r#""thread":{thread},"#));
        format!(
            r#"{{"schema":1,"rank":{rank},"ranks":2,"host":"n","pid":{rank},"region":"solve","calls":1,{thread}"event":"task-clock","value":{ms}000000,"status":"counted","unit":"ns","raw":1,"coverage":1.0}}"#
        )
    };
    let of_rank = |rank: u32, first: u32, ms: [u64; 2]| {
        let [one, two] = ms;
        [row(rank, None, one + two), row(rank, Some(first), one), row(rank, Some(first + 7), two)]
            .join("\n")
    };
    let reports = [of_rank(0, 100, [10, 10]), of_rank(1, 2000, [10, 30])];
    let (text, _) = merged("threads", &reports, &["--by", "thread"]);
    let words = "thread 1 of rank 1 on n takes 100 % longer than the mean in solve (task-clock)";
    assert!(text.contains(words), "{text}");
    assert!(text.contains("1 thread 0") && text.contains("+100.0 %"), "{text}");
    let (out, _) = merged("threads-json", &reports, &["--by", "thread", "--json"]);
    let found = lines(&out);
    assert_eq!(found.len(), 4, "one event in one region, two numbers of threads, and the summary");
    let of_number = |row: &Value| json!([row["thread_number"], row["value"], row["per_thread"]]);
    assert_eq!(of_number(&found[1]), json!([0, 20_000_000, null]));
    assert_eq!(of_number(&found[2]), json!([1, 40_000_000, null]));
    assert_eq!((&found[2]["max_rank"], &found[2]["imbalance"]), (&json!(1), &json!(0.5)));
    assert_eq!((&found[0]["value"], &found[0]["processes"]), (&json!(60_000_000), &json!(4)));
    assert_eq!((&found[0]["max_rank"], &found[0]["max_thread"]), (&json!(1), &json!(1)));
    let place = |value: &Value| json!([value["rank"], value["thread"]]);
    let places: Vec<Value> = found[0]["per_thread"].as_array().unwrap().iter().map(place).collect();
    assert_eq!(json!(places), json!([[0, 0], [0, 1], [1, 0], [1, 1]]));
    let (out, _) = merged("threads-csv", &reports, &["--by", "thread", "--csv"]);
    assert_eq!(out.lines().count(), 5, "{out}");
    // They are in the totals of the ranks already.
    let (out, _) = merged("threads-rank", &reports, &["--json"]);
    assert_eq!(lines(&out)[0]["value"], 60_000_000);
    let (reports, _) = Reports::new("threads-none", &[&report(0, "n", 0, 9)]);
    let folder = reports.0.display().to_string();
    let none = run(&["merge", "--by", "thread", &folder]);
    assert!(stderr(&none).contains("no row is of a thread"), "{}", stderr(&none));
}

#[test]
fn wall_times_are_added_up_over_intervals_and_not_over_ranks() {
    let row = |rank: u64, event: &str, at: f64, value: u64| {
        format!(
            r#"{{"schema":1,"rank":{rank},"host":"node01","event":"{event}","canonical":"{event}","value":{value},"status":"counted","unit":"ns","coverage":1.0,"interval_s":{at}}}"#
        )
    };
    let end = |rank: u64| {
        format!(r#"{{"schema":1,"summary":{{"rank":{rank},"host":"node01","command":["a"]}}}}"#)
    };
    let texts = [(0, 3), (1, 5)].map(|(rank, ns)| {
        let of = |event: &str| [row(rank, event, 1.0, ns), row(rank, event, 2.0, 10)].join("\n");
        [of("duration_time"), of("user_time"), end(rank)].join("\n")
    });
    let (out, _) = merged("wall-times", &texts, &["--json"]);
    let rows = lines(&out);
    let reason = json!("wall times do not add up, as the processes run at the same time");
    let [wall, cpu] = [&rows[0], &rows[1]];
    assert_eq!((&wall["value"], &wall["reason"]), (&Value::Null, &reason), "{wall}");
    let extremes = |row: &Value| ["min", "mean", "max"].map(|key| row[key].as_f64());
    assert_eq!(extremes(wall), [Some(13.0), Some(14.0), Some(15.0)], "{wall}");
    assert_eq!((cpu["value"].as_u64(), extremes(cpu)), (Some(28), extremes(wall)), "{cpu}");
    let (out, _) = merged("wall-times-of-node", &texts, &["--json", "--by", "node"]);
    assert_eq!(lines(&out)[0]["per_node"][0]["reason"], reason);
}
