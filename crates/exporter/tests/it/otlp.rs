//! A receiver of OTLP that is made of the types of OpenTelemetry.

use crate::server::Serving;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value};
use opentelemetry_proto::tonic::metrics::v1::{
    AggregationTemporality, Metric, metric, number_data_point,
};
use prost::Message;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

fn config(port: u16) -> String {
    let pid = std::process::id();
    format!(
        "interval = 0.2\notlp = 'http://127.0.0.1:{port}'\n[[count]]\nprocesses = [{pid}]\nevents = ['page-faults', 'task-clock', 'cycles']\n"
    )
}

/// Receives one request and answers it.
fn receive(stream: &mut TcpStream, status: &str) -> (String, ExportMetricsServiceRequest) {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    let (head, body) = loop {
        let length = stream.read(&mut piece).unwrap();
        assert!(length > 0, "the request is torn: {}", String::from_utf8_lossy(&bytes));
        bytes.extend_from_slice(&piece[..length]);
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: ")).unwrap();
        let body = &bytes[end + 4..];
        if body.len() == length.parse::<usize>().unwrap() {
            break (head, body.to_vec());
        }
    };
    write!(stream, "HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n").unwrap();
    (head, ExportMetricsServiceRequest::decode(body.as_slice()).unwrap())
}

fn metrics(request: ExportMetricsServiceRequest) -> Vec<Metric> {
    let [resource] = <[_; 1]>::try_from(request.resource_metrics).unwrap();
    let service = &resource.resource.unwrap().attributes[0];
    assert_eq!((service.key.as_str(), text(service)), ("service.name", "counterpoint".to_string()));
    let [scope] = <[_; 1]>::try_from(resource.scope_metrics).unwrap();
    assert_eq!(scope.scope.unwrap().name, "counterpoint-exporter");
    scope.metrics
}

fn text(attribute: &KeyValue) -> String {
    match attribute.value.as_ref().unwrap().value.as_ref().unwrap() {
        any_value::Value::StringValue(text) => text.clone(),
        other => panic!("{other:?}"),
    }
}

/// The value of a counter with one series.
fn sum(metrics: &[Metric], name: &str) -> number_data_point::Value {
    let metric = metrics.iter().find(|metric| metric.name == name).unwrap();
    let Some(metric::Data::Sum(sum)) = &metric.data else { panic!("{metric:?}") };
    assert!(sum.is_monotonic);
    assert_eq!(sum.aggregation_temporality, AggregationTemporality::Cumulative as i32);
    let [point] = &sum.data_points[..] else { panic!("{sum:?}") };
    assert!(point.start_time_unix_nano > 0 && point.time_unix_nano > point.start_time_unix_nano);
    let pid = point.attributes.iter().find(|attribute| attribute.key == "pid").unwrap();
    assert_eq!(text(pid), std::process::id().to_string());
    point.value.unwrap()
}

#[test]
fn a_receiver_gets_the_sums_and_what_is_not_counted() {
    let receiver = TcpListener::bind("127.0.0.1:0").unwrap();
    let serving = Serving::start(&config(receiver.local_addr().unwrap().port()));
    let mut faults = Vec::new();
    for _ in 0..3 {
        let (mut stream, _) = receiver.accept().unwrap();
        let (head, request) = receive(&mut stream, "200 OK");
        assert!(head.starts_with("POST /v1/metrics HTTP/1.1\r\n"), "{head}");
        assert!(head.contains("Content-Type: application/x-protobuf"), "{head}");
        let metrics = metrics(request);
        let number_data_point::Value::AsInt(number) =
            sum(&metrics, "counterpoint_process_page_faults")
        else {
            panic!("faults are whole")
        };
        faults.push(number);
        let clock =
            metrics.iter().find(|m| m.name == "counterpoint_process_task_clock_seconds").unwrap();
        assert_eq!(clock.unit, "s");
        let is_counted = metrics.iter().any(|metric| metric.name == "counterpoint_process_cycles");
        let is_said = metrics.iter().any(|metric| metric.name == "counterpoint_event_status");
        assert!(is_counted != is_said, "{metrics:?}");
    }
    assert!(faults.is_sorted(), "{faults:?}");
    let last = std::thread::spawn(move || {
        let (mut stream, _) = receiver.accept().unwrap();
        receive(&mut stream, "200 OK")
    });
    assert_eq!(serving.end(), Vec::<String>::new());
    let number_data_point::Value::AsInt(number) =
        sum(&metrics(last.join().unwrap().1), "counterpoint_process_page_faults")
    else {
        panic!("faults are whole")
    };
    assert!(number >= faults[2], "the last values are sent at the end");
}

#[test]
fn a_receiver_that_is_gone_is_said_once_and_so_is_its_return() {
    let receiver = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = receiver.local_addr().unwrap().port();
    drop(receiver);
    let serving = Serving::start(&config(port));
    // Several requests fail meanwhile.
    std::thread::sleep(Duration::from_millis(900));
    let page = serving.get("/").body;
    assert!(page.contains("0 requests were sent") && page.contains("refused"), "{page}");
    let receiver = TcpListener::bind(("127.0.0.1", port)).unwrap();
    let receiving = std::thread::spawn(move || {
        for status in ["503 Service Unavailable", "200 OK", "200 OK"] {
            receive(&mut receiver.accept().unwrap().0, status);
        }
    });
    receiving.join().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let said = serving.end();
    assert!(
        said[0].contains("values are not received: ") && said[0].contains("refused"),
        "{said:?}"
    );
    assert!(said[1].ends_with("values are received again"), "{said:?}");
}

#[test]
fn a_slow_receiver_holds_no_scrape_up_and_newer_values_replace_older_ones() {
    let receiver = TcpListener::bind("127.0.0.1:0").unwrap();
    let serving = Serving::start(&config(receiver.local_addr().unwrap().port()));
    // It accepts, and answers nothing for a while.
    let (mut stream, _) = receiver.accept().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    assert!(!serving.scrape().is_empty());
    let page = serving.get("/").body;
    let replaced = page.split(", and ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    assert!(replaced.parse::<u32>().unwrap() >= 2, "{page}");
    receive(&mut stream, "200 OK");
    let (mut newest, _) = receiver.accept().unwrap();
    assert!(!metrics(receive(&mut newest, "200 OK").1).is_empty());
    let draining = std::thread::spawn(move || {
        while let Ok((mut stream, _)) = receiver.accept() {
            receive(&mut stream, "200 OK");
        }
    });
    serving.end();
    drop(draining);
}
