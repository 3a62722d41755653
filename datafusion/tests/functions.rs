//! The functions, asked by SQL.

#![allow(clippy::unwrap_used, reason = "a test fails by panic")]

use counterpoint_datafusion::session;
use counterpoint_report::table::parquet::Writer;
use counterpoint_report::table::{COLUMNS, Column, Report};
use datafusion::arrow::array::{Array, AsArray};
use datafusion::arrow::datatypes::Float64Type;
use datafusion::arrow::util::pretty::pretty_format_batches;
use std::path::PathBuf;

/// The lines of a result, without frames.
async fn ask(sql: &str, files: &[PathBuf]) -> Result<Vec<String>, String> {
    let session = session(files, &std::env::temp_dir()).map_err(|error| error.strip_backtrace())?;
    let frame = session.sql(sql).await.map_err(|error| error.strip_backtrace())?;
    let batches = frame.collect().await.map_err(|error| error.strip_backtrace())?;
    let text = pretty_format_batches(&batches).unwrap().to_string();
    let cells = |line: &str| {
        let cells = line.trim_matches('|').split('|').map(str::trim);
        cells.collect::<Vec<_>>().join(" ")
    };
    Ok(text.lines().filter(|line| line.starts_with('|')).skip(1).map(cells).collect())
}

async fn value(sql: &str) -> String {
    ask(sql, &[]).await.unwrap().join("\n")
}

async fn error(sql: &str) -> String {
    ask(sql, &[]).await.unwrap_err()
}

#[tokio::test]
async fn a_formula_has_a_value_for_each_row() {
    let rows = "(VALUES (6, 3), (8, 0), (NULL, 2), (9, 2)) AS t(a, b)";
    let answer = value(&format!("SELECT cp_formula('a / b', a, b) AS q FROM {rows}")).await;
    assert_eq!(answer, "2.0\n\n\n4.5");
    assert_eq!(value("SELECT cp_formula('N1 - N0', 1, 5)").await, "4.0");
    assert_eq!(value("SELECT cp_formula('1e9')").await, "1000000000.0");
}

#[tokio::test]
async fn a_formula_over_many_rows_is_what_the_formula_says() {
    let sql = "SELECT a, b, cp_formula('100 * a / (a + b) - b', a, b) AS f FROM (
        SELECT CASE WHEN value % 7 = 0 THEN NULL ELSE value END AS a, value % 1000 AS b
        FROM generate_series(1, 100000))";
    let session = session(&[], &std::env::temp_dir()).unwrap();
    let batches = session.sql(sql).await.unwrap().collect().await.unwrap();
    let (mut rows, mut nulls) = (0, 0);
    for batch in batches {
        let found = batch.column(2).as_primitive::<Float64Type>();
        let number = |column: usize, row| {
            let column =
                datafusion::arrow::compute::cast(batch.column(column), found.data_type()).unwrap();
            column.is_valid(row).then(|| column.as_primitive::<Float64Type>().value(row))
        };
        for row in (0..batch.num_rows()).step_by(37) {
            let expected = number(0, row).zip(number(1, row)).map(|(a, b)| 100.0 * a / (a + b) - b);
            let found = found.is_valid(row).then(|| found.value(row));
            assert_eq!(found, expected);
            nulls += usize::from(expected.is_none());
            rows += 1;
        }
    }
    assert!(rows > 2000 && nulls > 200, "{rows} {nulls}");
}

#[tokio::test]
async fn a_wrong_formula_is_named_before_anything_is_read() {
    let text = error("SELECT cp_formula('a / / b', 1, 2)").await;
    assert!(text.contains("character 5"), "{text}");
    let text = error("SELECT cp_formula('a / b', 1)").await;
    assert!(text.contains("2 inputs (a, b), and 1 columns are given"), "{text}");
    let text = error("SELECT cp_formula('a', 'x')").await;
    assert!(text.contains("where a number belongs"), "{text}");
    let text = error("SELECT cp_formula(f, 1) FROM (VALUES ('a')) AS t(f)").await;
    assert!(text.contains("not a text between quotes"), "{text}");
}

#[tokio::test]
async fn a_metric_is_computed_from_maps() {
    let sql = "SELECT cp_metric('ipc', 'spr', map(['INST_RETIRED:ANY_P', 'CPU_CLK_UNHALTED:THREAD_P'], [a, b])) FROM (VALUES (6.0, 3.0), (5.0, NULL)) AS t(a, b)";
    let known = value(sql).await;
    let sql = "SELECT cp_metric('ipc', 'spr', map(['papi_tot_ins', 'PAPI_TOT_CYC'], [a, b])) FROM (VALUES (6.0, 3.0), (5.0, NULL)) AS t(a, b)";
    let written = value(sql).await;
    assert!(known == "2.0\n" || written == "2.0\n", "{known:?} {written:?}");
    let text = error("SELECT cp_metric('no_such', 'spr', map(['a'], [1]))").await;
    assert!(text.contains("spr has no metric \"no_such\""), "{text}");
    let text = error("SELECT cp_metric('ipc', 'no_pmu', map(['a'], [1]))").await;
    assert!(text.contains("no table of PMUs is called \"no_pmu\""), "{text}");
    let text = error("SELECT cp_metric('ipc', 'spr', 1)").await;
    assert!(text.contains("cp_metric has other arguments"), "{text}");
}

/// Values with their status, as reports have them.
const RANKS: &str = "(VALUES (1.0, 'counted', 1.0, false), (2.5, 'estimated', 0.5, false), (NULL, 'not-counted', NULL, true)) AS t(v, s, c, e)";
const MISSING: &str = "(VALUES (1.0, 'counted'), (NULL, 'not-supported')) AS t(v, s)";

#[tokio::test]
async fn sums_keep_what_was_not_measured() {
    let all = "x['value'], x['status'], x['coverage'], x['rows'], x['missing']";
    let ask = async |sum: &str, from: &str| {
        value(&format!("SELECT {all} FROM (SELECT {sum} AS x FROM {from})")).await
    };
    assert_eq!(ask("cp_sum(v, s, c, e)", RANKS).await, "3.5 estimated 0.5 2 0");
    assert_eq!(ask("cp_sum(v, s, c)", RANKS).await, " not-counted 0.5 2 1");
    assert_eq!(ask("cp_sum(v, s)", MISSING).await, " not-counted  1 1");
    assert_eq!(ask("cp_mean(v, s)", MISSING).await, " not-counted  1 1");
    assert_eq!(ask("cp_mean(v, s, NULL, NULL, 'present')", MISSING).await, "1.0 estimated  1 1");
    assert_eq!(ask("cp_mean(v, s, c, e)", RANKS).await, "1.75 estimated 0.5 2 0");
    let none = format!("{MISSING} WHERE v IS NULL");
    assert_eq!(ask("cp_sum(v, s)", &none).await, " not-supported  0 1");
    let wrong = error(&format!("SELECT cp_mean(v, s, NULL, NULL, 'some') FROM {MISSING}")).await;
    assert!(wrong.contains("the rule is not 'all' or 'present'"), "{wrong}");
    let wrong = error(&format!("SELECT cp_sum(s, v) FROM {MISSING}")).await;
    assert!(wrong.contains("cp_sum: value is"), "{wrong}");
}

#[tokio::test]
async fn a_sum_is_exact_in_any_order() {
    let sql = |order: &str| {
        format!(
            "SELECT cp_sum(v, 'counted')['value'] FROM (
                SELECT CASE WHEN value % 2 = 0 THEN 1e16 + value ELSE -1e16 - value / 3.0 END AS v
                FROM generate_series(1, 10000) ORDER BY {order})"
        )
    };
    assert_eq!(value(&sql("v")).await, value(&sql("abs(v), v DESC")).await);
}

fn file(name: &str, text: &str) -> PathBuf {
    let path =
        std::env::temp_dir().join(format!("counterpoint-datafusion-{}-{name}", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path
}

const LINES: &str = r#"{"schema":1,"host":"a","rank":0,"event":"e","value":2,"status":"counted","unit":null}
{"schema":1,"host":"a","rank":1,"event":"e","value":4,"status":"counted","unit":null}
"#;

#[tokio::test]
async fn reports_are_a_table() {
    let path = file("reports.jsonl", LINES);
    let sql = "SELECT event, cp_sum(value, status)['value'], max(value) / cp_mean(value, status)['value'] - 1 FROM reports WHERE kind = 'value' GROUP BY event";
    let rows = ask(sql, std::slice::from_ref(&path)).await.unwrap();
    assert_eq!(rows.len(), 1);
    assert!(rows[0].starts_with("e 6.0 0.333"), "{rows:?}");
    let sql = format!("SELECT count(*) FROM cp_reports('{}')", path.display());
    assert_eq!(ask(&sql, &[]).await.unwrap(), ["2"]);
    std::fs::remove_file(path).unwrap();
}

#[tokio::test]
async fn what_is_not_a_report_is_named() {
    let path = file("torn.jsonl", &LINES[..LINES.len() - 40]);
    let text = ask("SELECT 1", std::slice::from_ref(&path)).await.unwrap_err();
    assert!(text.contains("torn.jsonl: line 2: not JSON"), "{text}");
    std::fs::remove_file(path).unwrap();
    let text = error("SELECT * FROM cp_reports('/no/such/file')").await;
    assert!(text.contains("/no/such/file: No such file"), "{text}");
    let path = file("torn.parquet", "PAR1 and nothing more");
    let text =
        ask("SELECT count(value) FROM reports", std::slice::from_ref(&path)).await.unwrap_err();
    assert!(text.to_lowercase().contains("parquet"), "{text}");
    std::fs::remove_file(path).unwrap();
}

/// A table that is partitioned has some columns in the names of its directories only.
#[tokio::test]
async fn the_columns_of_directories_are_columns_of_the_table() {
    let base = std::env::temp_dir().join(format!("counterpoint-datafusion-{}", std::process::id()));
    let own: Vec<Column> =
        COLUMNS.iter().copied().filter(|column| *column != Column::Rank).collect();
    for (rank, line) in LINES.lines().enumerate() {
        let folder = base.join(format!("rank={rank}"));
        std::fs::create_dir_all(&folder).unwrap();
        let mut parquet = Writer::with_columns(Vec::new(), &own).unwrap();
        Report::new("").line(line, |row| parquet.push(row).unwrap()).unwrap();
        std::fs::write(folder.join("part-0.parquet"), parquet.finish().unwrap()).unwrap();
    }
    let sql = "SELECT rank, value FROM reports ORDER BY rank";
    assert_eq!(ask(sql, std::slice::from_ref(&base)).await.unwrap(), ["0 2.0", "1 4.0"]);
    std::fs::remove_dir_all(base).unwrap();
}
