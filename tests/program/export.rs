//! `counterpoint export`: reports as a table, and back.

use crate::merge::{Reports, lines};
use crate::{run, run_on, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A report of each command that `export` reads, written now.
fn reports() -> Vec<String> {
    let commands: &[&[&str]] = &[
        &["stat", "-e", "task-clock,page-faults,cycles", "--json", "true"],
        &["stat", "-r", "3", "-e", "page-faults,cycles", "--json", "true"],
        &["stat", "-I", "20", "-e", "page-faults", "--json", "sleep", "0.05"],
        &["stat", "-M", "page_fault_rate", "--json", "true"],
        &["profile", "-e", "page-faults", "-c", "1", "-g", "--format", "json", "true"],
    ];
    let mut texts: Vec<String> = commands
        .iter()
        .map(|command| {
            // Of a command that is counted, the report goes to stderr.
            let output = run(command);
            let (out, err) = (stdout(&output), stderr(&output));
            if out.starts_with('{') { out } else { err }
        })
        .collect();
    let (_kept, files) = Reports::new("export-merged", &[&texts[0], &texts[1]]);
    let merge = ["merge", "--json", "--by", "rank"].into_iter();
    let merge: Vec<&str> = merge.chain(files.iter().map(String::as_str)).collect();
    texts.push(stdout(&run(&merge)));
    texts
}

fn export(args: &[&str]) -> (i32, String, String) {
    let output = run(&[&["export"], args].concat());
    (output.status.code().unwrap(), stdout(&output), stderr(&output))
}

#[test]
fn every_report_comes_back_from_every_format() {
    let texts = reports();
    assert!(texts.iter().all(|text| text.starts_with("{\"schema\":1")), "{texts:?}");
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (folder, files) = Reports::new("export-back", &texts);
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let written: Vec<Value> = texts.iter().flat_map(|text| lines(text)).collect();
    for ending in ["jsonl", "csv", "arrow", "parquet"] {
        let table = folder.0.join(format!("table.{ending}")).display().to_string();
        let (code, out, err) = export(&[&["-o", &table], files.as_slice()].concat());
        assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""), "{ending}");
        let (code, out, err) = export(&["--format", "report", &table]);
        assert_eq!((code, err.as_str()), (0, ""), "{ending}");
        if ending != "csv" {
            assert_eq!(lines(&out), written, "{ending}");
            continue;
        }
        let is_profile = |line: &&Value| !line["stacks"].is_null() || !line["left_out"].is_null();
        let (back, written) = (lines(&out), &written);
        let rest = |all: &[Value]| -> Vec<Value> {
            all.iter().filter(|line| !is_profile(line)).cloned().collect()
        };
        assert_eq!(rest(&back), rest(written));
        // What a profile has in CSV is as it was, and the rest is named.
        let [came, was] = [&back[..], written].map(|all| all.iter().find(is_profile).unwrap());
        for (key, value) in came.as_object().unwrap().iter().filter(|(key, _)| *key != "left_out") {
            assert_eq!(value, &was[key], "{key}");
        }
        let left_out: Vec<&str> =
            came["left_out"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert!(!left_out.is_empty());
        let table = fs::read_to_string(&table).unwrap();
        let longest = table.lines().map(str::len).max();
        assert!(longest < Some(64 << 10), "{longest:?}");
    }
}

#[test]
fn the_rows_of_a_table_are_what_their_schema_says() {
    let texts = reports();
    for text in &texts {
        let table = stdout(&run_on(text.as_bytes(), &["export", "-"]));
        assert!(table.lines().count() >= text.lines().count());
        crate::schema::check("table", &table, text);
    }
}

#[test]
fn what_was_not_measured_is_null_in_the_table() {
    let report = r#"{"schema":1,"host":"a","event":"cycles","value":null,"status":"not-supported","unit":null,"reason":"no PMU"}"#;
    let table = stdout(&run_on(report.as_bytes(), &["export", "--format", "csv", "-"]));
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    let column = |name| rows[0].iter().position(|column| *column == name).unwrap();
    assert_eq!(rows[1][column("value")], "");
    assert_eq!(rows[1][column("whole")], "");
    assert_eq!(rows[1][column("status")], "not-supported");
    assert_eq!(rows[1][column("reason")], "no PMU");
}

#[test]
fn partitions_are_directories_of_hive() {
    let of = |job: &str, host: &str, value: u32| {
        format!(
            r#"{{"schema":1,"job":"{job}","host":"{host}","event":"e","value":{value},"status":"counted","unit":null}}"#
        )
    };
    let texts = [
        [of("7", "a", 1), of("7", "b", 2), of("7", "a", 3)].join("\n"),
        [
            of("8/9", "a", 4),
            r#"{"schema":1,"event":"e","value":5,"status":"counted","unit":null}"#.to_string(),
        ]
        .join("\n"),
    ];
    let (folder, files) = Reports::new("export-hive", &[&texts[0], &texts[1]]);
    let table = folder.0.join("table").display().to_string();
    let (code, _, err) =
        export(&["-o", &table, "--partition", "job,host", "-F", "csv", &files[0], &files[1]]);
    assert_eq!((code, err.as_str()), (0, ""));
    for file in [
        "job=7/host=a/part-0.csv",
        "job=7/host=b/part-0.csv",
        "job=8%2F9/host=a/part-0.csv",
        "job=__HIVE_DEFAULT_PARTITION__/host=__HIVE_DEFAULT_PARTITION__/part-0.csv",
    ] {
        assert!(Path::new(&table).join(file).is_file(), "{file}");
    }
    // Readers of such directories take a column of the files and of the directories for two.
    let header = fs::read_to_string(Path::new(&table).join("job=7/host=a/part-0.csv")).unwrap();
    let columns: Vec<&str> = header.lines().next().unwrap().split(',').collect();
    assert!(columns.contains(&"event") && columns.contains(&"pid"), "{columns:?}");
    assert!(!columns.contains(&"job") && !columns.contains(&"host"), "{columns:?}");
    // The directory is read as a table again, in the order of its files.
    let (code, out, _) = export(&["--format", "report", &table]);
    let values: Vec<_> = lines(&out).iter().map(|line| line["value"].as_u64().unwrap()).collect();
    assert_eq!((code, values), (0, vec![1, 3, 2, 4, 5]));
    let of = |key: &str| -> Vec<Value> { lines(&out).iter().map(|l| l[key].clone()).collect() };
    assert_eq!(
        of("job"),
        ["7", "7", "7", "8/9"]
            .map(Value::from)
            .into_iter()
            .chain([Value::Null])
            .collect::<Vec<_>>()
    );
    assert_eq!(of("host")[..4], ["a", "a", "b", "a"].map(Value::from));
}

#[test]
fn every_format_has_the_columns_of_its_directories_in_their_names_only() {
    let line = |rank: u32| {
        format!(
            r#"{{"schema":1,"rank":{rank},"event":"e","value":{rank},"status":"counted","unit":null}}"#
        )
    };
    let (folder, files) = Reports::new("export-columns", &[&[line(3), line(4)].join("\n")]);
    let expected = stdout(&run(&["export", &files[0]]));
    for format in ["parquet", "arrow", "csv", "jsonl"] {
        let table = folder.0.join(format).display().to_string();
        let (code, _, err) =
            export(&["-o", &table, "--partition", "rank", "-F", format, &files[0]]);
        assert_eq!((code, err.as_str()), (0, ""));
        assert_eq!(export(&[&table]), (0, expected.clone(), String::new()), "{format}");
        let alone = folder.0.join(format!("alone.{format}"));
        fs::copy(Path::new(&table).join(format!("rank=3/part-0.{format}")), &alone).unwrap();
        let (_, out, _) = export(&[alone.to_str().unwrap()]);
        assert_eq!(lines(&out)[0]["rank"], Value::Null, "{format}: {out}");
    }
}

#[test]
fn a_table_without_the_order_of_its_reports_is_not_turned_back() {
    let line = r#"{"schema":1,"event":"a b","value":1,"status":"counted","unit":null}"#;
    let (folder, files) = Reports::new("export-by-event", &[line]);
    let table = folder.0.join("table").display().to_string();
    assert_eq!(export(&["-o", &table, "--partition", "event", &files[0]]).0, 0);
    let (code, out, _) = export(&[&table]);
    assert_eq!((code, lines(&out)[0]["event"].as_str()), (0, Some("a b")));
    let (code, out, err) = export(&["--format", "report", &table]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("does not have the order of its reports"), "{err}");
}

#[test]
fn a_second_export_adds_to_the_partitions_of_the_first() {
    let line = |host: &str, value: u32| {
        format!(
            r#"{{"schema":1,"job":"41","host":"{host}","event":"e","value":{value},"status":"counted","unit":null}}"#
        )
    };
    let (folder, files) =
        Reports::new("export-again", &[&line("a", 1), &line("b", 2), &line("a", 3)]);
    let table = folder.0.join("table").display().to_string();
    let by = |columns: &str, file: &str| export(&["-o", &table, "--partition", columns, file]);
    let values = || {
        let (_, out, _) = export(&["--format", "report", &table]);
        lines(&out).iter().map(|line| line["value"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    for file in &files {
        assert_eq!(by("job", file), (0, String::new(), String::new()));
    }
    assert_eq!(values(), [1, 2, 3]);
    assert!(Path::new(&table).join("job=41/part-2.parquet").is_file());
    // The rows would be there in two layouts.
    for columns in ["job,host", "host", "host,job"] {
        let (code, _, err) = by(columns, &files[0]);
        assert_eq!(code, 2, "{columns}");
        assert!(err.contains(&format!("is partitioned by {columns}")), "{err}");
        assert!(err.contains("a directory of its own"), "{err}");
    }
    // A refusal leaves no directory that would refuse the right layout.
    let other = folder.0.join("other").display().to_string();
    let to_other = |columns: &str| export(&["-o", &other, "--partition", columns, &files[0]]);
    assert_eq!(to_other("host,job").0, 0);
    assert_eq!(to_other("job").0, 2);
    assert_eq!(to_other("host,job"), (0, String::new(), String::new()));
    let (code, _, err) = by("job,job", &files[0]);
    assert!(code == 2 && err.contains("names a column twice"), "{err}");
    let (code, _, err) = by("job", &table);
    assert!(code == 2 && err.contains("a part of the table that is written"), "{err}");
    assert_eq!(values(), [1, 2, 3]);
}

#[test]
fn exports_at_the_same_time_lose_nothing() {
    let text = |value: usize| {
        format!(
            r#"{{"schema":1,"job":"41","event":"e","value":{value},"status":"counted","unit":null}}"#
        )
    };
    let texts: Vec<String> = (0..12).map(text).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (folder, files) = Reports::new("export-together", &texts);
    let table = folder.0.join("table").display().to_string();
    std::thread::scope(|scope| {
        for file in &files {
            let table = &table;
            scope.spawn(move || {
                let (code, _, err) = export(&["-o", table, "--partition", "job", file]);
                assert_eq!((code, err.as_str()), (0, ""));
            });
        }
    });
    let (_, out, _) = export(&["--format", "report", &table]);
    let mut values: Vec<_> =
        lines(&out).iter().map(|line| line["value"].as_u64().unwrap()).collect();
    values.sort_unstable();
    assert_eq!(values, (0..12).collect::<Vec<u64>>());
}

#[test]
fn more_partitions_than_open_files_are_written() {
    let line = |rank: usize| {
        format!(
            r#"{{"schema":1,"rank":{},"event":"e","value":{rank},"status":"counted","unit":null}}"#,
            rank % 100
        )
    };
    let text: Vec<String> = (0..200).map(line).collect();
    let (folder, files) = Reports::new("export-many", &[&text.join("\n")]);
    let table = folder.0.join("table").display().to_string();
    let (code, _, err) = export(&["-o", &table, "--partition", "rank", &files[0]]);
    assert_eq!((code, err.as_str()), (0, ""));
    let (_, out, _) = export(&["--format", "report", &table]);
    let mut values: Vec<_> =
        lines(&out).iter().map(|line| line["value"].as_u64().unwrap()).collect();
    values.sort_unstable();
    assert_eq!(values, (0..200).collect::<Vec<u64>>());
}

#[test]
fn what_is_wrong_is_named_and_the_other_files_are_read() {
    let good = r#"{"schema":1,"event":"e","value":1,"status":"counted","unit":null}"#;
    let later = good.replace("\"schema\":1", "\"schema\":2");
    let typed = good.replace("\"value\":1", "\"value\":\"1\"");
    let false_count = good.replace("counted", "not-counted");
    let torn = &good[..30];
    for (wrong, what) in [
        (later.as_str(), "line 2: version 2 of the format, where version 1 is read"),
        (&typed, "line 2: `value` is a text, where a number belongs"),
        (&false_count, "line 2: the event was not counted, but it has a `value`"),
        (torn, "line 2: not JSON from column 30 on"),
        ("event,value", "line 2: not JSON from column 1 on"),
    ] {
        let (_folder, files) = Reports::new("export-wrong", &[&format!("{good}\n{wrong}"), good]);
        let (code, out, err) = export(&[&files[0], &files[1]]);
        assert_eq!((code, out.lines().count()), (2, 2), "{what}");
        assert!(err.contains(&format!("0.jsonl: {what}")), "{err}");
    }
}

#[test]
fn a_damaged_first_line_costs_no_other_and_is_no_table() {
    let good = r#"{"schema":1,"event":"e","value":1,"status":"counted","unit":null}"#;
    for (first, what) in [
        ("\"host\":\"x\"}", "line 1: not "),
        ("[]", "line 1: not an object"),
        ("\n\n null", "line 3: not "),
    ] {
        let (_folder, files) = Reports::new("export-first", &[&format!("{first}\n{good}\n{good}")]);
        let (code, out, err) = export(&["--format", "jsonl", &files[0]]);
        assert_eq!((code, out.lines().count()), (2, 2), "{first:?}: {err}");
        assert!(err.contains(what), "{err}");
    }
    let (_folder, files) = Reports::new("export-mark", &[&format!("\u{feff}\n{good}")]);
    assert_eq!(export(&["--format", "jsonl", &files[0]]).0, 0);
}

/// A table in a file, or for a program, is exact; a terminal is shown no control characters.
#[test]
fn control_characters_come_back_from_csv() {
    let line = |host: &str| {
        let host = serde_json::Value::from(host);
        format!(
            r#"{{"schema":1,"host":{host},"event":"e","value":1,"status":"counted","unit":null}}"#
        )
    };
    let hosts = ["a\u{1b}b", "a\\u001bb", "\u{85}", "\r", "\0", "a\nb"];
    let reports = hosts.map(line).join("\n");
    let (_folder, files) = Reports::new("export-exact", &[&reports]);
    let csv = files[0].replace(".jsonl", ".csv");
    let (code, _, err) = export(&["-o", &csv, &files[0]]);
    assert_eq!(code, 0, "{err}");
    let (code, out, err) = export(&["--format", "report", &csv]);
    assert_eq!(code, 0, "{err}");
    let host = |line: &str| {
        serde_json::from_str::<Value>(line).unwrap()["host"].as_str().unwrap().to_string()
    };
    assert_eq!(out.lines().map(host).collect::<Vec<_>>(), hosts);
    let (_, piped, _) = export(&["--format", "csv", &files[0]]);
    assert_eq!(piped, fs::read_to_string(&csv).unwrap());
}

#[test]
fn torn_and_foreign_tables_are_refused() {
    let good = r#"{"schema":1,"event":"e","value":1,"status":"counted","unit":null}"#;
    let (folder, files) = Reports::new("export-torn", &[good]);
    for ending in ["parquet", "arrow"] {
        let table = folder.0.join(format!("t.{ending}")).display().to_string();
        assert_eq!(export(&["-o", &table, &files[0]]).0, 0);
        let whole = fs::read(&table).unwrap();
        fs::write(&table, &whole[..whole.len() - 20]).unwrap();
        let (code, out, err) = export(&[&table]);
        assert_eq!((code, out.as_str()), (2, ""), "{ending}");
        assert!(err.contains(&format!("t.{ending}: ")), "{err}");
    }
    let (code, _, err) = export(&["-o", "t.xlsx", &files[0]]);
    assert_eq!(code, 2);
    assert!(err.contains("no format has the ending \"xlsx\"") && err.contains(".parquet"), "{err}");
    let (code, _, err) = export(&["--partition", "host", &files[0]]);
    assert!(code == 2 && err.contains("--output"), "{err}");
    let empty = folder.0.join("empty");
    fs::create_dir(&empty).unwrap();
    let (code, _, err) = export(&[empty.to_str().unwrap()]);
    assert!(code == 2 && err.contains("no report or table is in this directory"), "{err}");
}

/// A damaged table costs itself, and not the tables before and after it.
#[test]
fn damaged_tables_in_the_middle_of_others_are_named() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("export-damaged");
    std::fs::create_dir_all(&folder).unwrap();
    let damaged = folder.join("damaged");
    let seeds = crate::root().join("crates/report/fuzz/seeds");
    let mut refused = 0;
    for kind in ["arrow", "parquet"] {
        let whole = seeds.join(kind).join("two_rows");
        let bytes = std::fs::read(&whole).unwrap();
        for at in (bytes.len() / 3..bytes.len()).step_by(149) {
            let mut changed = bytes.clone();
            changed[at] ^= 0xff;
            std::fs::write(&damaged, changed).unwrap();
            let [whole, damaged] = [&whole, &damaged].map(|path| path.to_str().unwrap());
            let output = crate::run(&["export", whole, damaged, whole]);
            let (code, error) = (output.status.code(), crate::stderr(&output));
            assert!(matches!(code, Some(0 | 2)) && !error.contains("panicked"), "{at}: {error}");
            assert_eq!(error.contains(damaged), code == Some(2), "{at}: {error}");
            let rows = crate::stdout(&output).lines().count();
            assert!(rows >= 4, "{kind} {at}: {rows} rows");
            refused += usize::from(code == Some(2));
        }
    }
    assert!(refused > 20, "{refused} are refused");
}

#[test]
fn a_value_that_is_too_long_for_a_directory_is_named_and_leaves_nothing_behind() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("export-long");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let line = |job: &str| {
        format!(
            r#"{{"schema":1,"job":"{job}","event":"e","value":1,"status":"counted","unit":null}}"#
        )
    };
    let report = folder.join("report.jsonl");
    let table = folder.join("table");
    let args = |format| {
        [
            "-o",
            table.to_str().unwrap(),
            "--format",
            format,
            "--partition",
            "job",
            report.to_str().unwrap(),
        ]
    };
    // Its name is as long as names may be.
    fs::write(&report, line(&"j".repeat(251))).unwrap();
    assert_eq!(export(&args("jsonl")).0, 0);
    fs::remove_dir_all(&table).unwrap();
    fs::write(&report, format!("{}\n{}\n", line("short"), line(&"j".repeat(252)))).unwrap();
    for format in ["jsonl", "csv", "parquet"] {
        let (code, _, text) = export(&args(format));
        assert_eq!(code, 2, "{text}");
        assert!(
            text.contains("job=jjj")
                && text.contains("this value of the column job makes a name of 256 bytes"),
            "{text}"
        );
        assert_eq!(fs::read_dir(&table).map_or(0, Iterator::count), 0, "{format}");
    }
}
