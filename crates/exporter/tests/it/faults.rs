//! Clients that hang, many of them at once, and descriptors that run out.

use crate::server::{Serving, ask, value};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

fn serving() -> Serving {
    let pid = std::process::id();
    Serving::start(&format!("[[count]]\nprocesses = [{pid}]\nevents = ['page-faults']\n"))
}

/// An exporter for more than a thousand clients, where the limit of open files permits them.
fn serving_many() -> Option<Serving> {
    let serving = serving();
    // While it serves, it may have as many descriptors as this user can have.
    serving.scrape();
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap();
    let files = limits.lines().find_map(|line| line.strip_prefix("Max open files")).unwrap();
    let most: usize = files.split_whitespace().next().unwrap().parse().unwrap();
    if most < 2500 {
        println!("skipped: needs 2500 open files, and the limit is {most}");
        serving.end();
        return None;
    }
    Some(serving)
}

#[test]
fn clients_that_hang_hold_nobody_up_and_are_dropped() {
    let serving = serving();
    let silent: Vec<TcpStream> =
        (0..50).map(|_| TcpStream::connect(serving.address).unwrap()).collect();
    let mut half = TcpStream::connect(serving.address).unwrap();
    half.write_all(b"GET /metrics HTT").unwrap();
    let begun = Instant::now();
    assert!(value(&serving.scrape(), "counterpoint_process_page_faults_total").is_some());
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    half.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut rest = Vec::new();
    assert_eq!(half.read_to_end(&mut rest).unwrap(), 0, "it is dropped without an answer");
    drop(silent);
    serving.end();
}

#[test]
fn a_client_that_asks_is_answered_in_place_of_one_of_many_silent_ones() {
    let Some(serving) = serving_many() else { return };
    let silent: Vec<TcpStream> =
        (0..1100).map(|_| TcpStream::connect(serving.address).unwrap()).collect();
    let begun = Instant::now();
    assert!(value(&serving.scrape(), "counterpoint_process_page_faults_total").is_some());
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    drop(silent);
    serving.end();
}

#[test]
fn a_client_that_takes_nothing_holds_nobody_up() {
    let serving = serving();
    let mut greedy = TcpStream::connect(serving.address).unwrap();
    greedy.write_all(b"GET /metrics HTTP/1.1\r\n\r\n").unwrap();
    assert!(value(&serving.scrape(), "counterpoint_process_page_faults_total").is_some());
    drop(greedy);
    assert!(value(&serving.scrape(), "counterpoint_process_page_faults_total").is_some());
    serving.end();
}

#[test]
fn a_thousand_scrapers_at_once_are_answered() {
    let Some(serving) = serving_many() else { return };
    let mut clients: Vec<TcpStream> =
        (0..1000).map(|_| TcpStream::connect(serving.address).unwrap()).collect();
    for client in &mut clients {
        client.write_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    }
    for mut client in clients {
        let mut answer = String::new();
        client.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert!(answer.contains("\ncounterpoint_process_page_faults_total{"), "{answer}");
    }
    serving.end();
}

#[test]
fn what_is_no_request_is_answered_with_why() {
    let serving = serving();
    for (request, status) in [
        (&b"POST /metrics HTTP/1.1\r\n\r\n"[..], "405"),
        (b"\x16\x03\x01\x02\x00\r\n\r\n", "400"),
        (&[b"GET / HTTP/1.1\r\nA: ".to_vec(), vec![b'a'; 9000]].concat(), "431"),
    ] {
        let answer = ask(serving.address, request);
        assert!(answer.head.starts_with(&format!("HTTP/1.1 {status}")), "{}", answer.head);
        assert!(!answer.body.is_empty());
    }
    serving.end();
}

#[test]
fn it_ends_while_clients_wait() {
    let serving = serving();
    let silent = TcpStream::connect(serving.address).unwrap();
    thread::sleep(Duration::from_millis(50));
    let begun = Instant::now();
    serving.end();
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    drop(silent);
}
