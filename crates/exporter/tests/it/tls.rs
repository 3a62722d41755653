//! Encrypted requests, and those of users.

use crate::server::{Answer, Serving, ask};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::fs;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn of_tests(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tls").join(name)
}

/// Sends a request by TLS, as a client that trusts one certificate.
fn ask_encrypted(address: SocketAddr, trusted: &Path, request: &str) -> io::Result<String> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(trusted).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider);
    let builder = builder.with_safe_default_protocol_versions().unwrap();
    let config = Arc::new(builder.with_root_certificates(roots).with_no_client_auth());
    let name = ServerName::try_from("localhost").unwrap();
    let connection = ClientConnection::new(config, name).unwrap();
    let mut stream = StreamOwned::new(connection, TcpStream::connect(address)?);
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

fn config(folder: &Path, rest: &str) -> String {
    let [certificate, key] = ["certificate.pem", "key.pem"].map(|name| folder.join(name));
    let (certificate, key) = (certificate.display(), key.display());
    let pid = std::process::id();
    format!(
        "interval = 0.2\n{rest}\n[tls]\ncertificate = '{certificate}'\nkey = '{key}'\n[[count]]\nprocesses = [{pid}]\nevents = ['page-faults']\n"
    )
}

fn install(folder: &Path, name: &str) {
    fs::copy(of_tests(&format!("{name}.key.pem")), folder.join("key.pem")).unwrap();
    fs::copy(of_tests(&format!("{name}.pem")), folder.join("certificate.pem")).unwrap();
}

const METRICS: &str = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";

#[test]
fn requests_are_encrypted_and_a_new_certificate_is_read() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exporter-tls");
    fs::create_dir_all(&folder).unwrap();
    install(&folder, "first");
    let serving = Serving::start(&config(&folder, ""));
    let [first, second] = ["first.pem", "second.pem"].map(of_tests);
    let answer = ask_encrypted(serving.address, &first, METRICS).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(answer.contains("\ncounterpoint_process_page_faults_total{"), "{answer}");
    assert!(ask_encrypted(serving.address, &second, METRICS).is_err(), "it is another one's");
    // One that does not encrypt gets no answer.
    let mut plain = TcpStream::connect(serving.address).unwrap();
    plain.write_all(METRICS.as_bytes()).unwrap();
    let mut rest = Vec::new();
    let _ = plain.read_to_end(&mut rest);
    assert!(!rest.starts_with(b"HTTP"), "{rest:?}");
    install(&folder, "second");
    let begun = Instant::now();
    while ask_encrypted(serving.address, &second, METRICS).is_err() {
        assert!(begun.elapsed() < Duration::from_secs(30), "the new certificate is not read");
    }
    fs::write(folder.join("certificate.pem"), "damaged").unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert!(ask_encrypted(serving.address, &second, METRICS).is_ok(), "the last good one stays");
    let said = serving.end();
    assert!(said.iter().any(|line| line == "the certificate was read again"), "{said:?}");
    assert!(said.iter().any(|line| line.contains("is kept")), "{said:?}");
}

#[test]
fn only_users_are_answered() {
    // SHA-256 of `secret`.
    let user = "[[user]]\nname = 'prometheus'\npassword_sha256 = '2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b'\n";
    let pid = std::process::id();
    let serving = Serving::start(&format!(
        "{user}[[count]]\nprocesses = [{pid}]\nevents = ['page-faults']\n"
    ));
    let with = |authorization: &str| -> Answer {
        ask(serving.address, format!("GET /metrics HTTP/1.1\r\n{authorization}\r\n\r\n").as_bytes())
    };
    for refused in ["Host: x", "Authorization: Basic cHJvbWV0aGV1czp3cm9uZw=="] {
        let answer = with(refused);
        assert!(answer.head.starts_with("HTTP/1.1 401"), "{}", answer.head);
        assert!(answer.head.contains("WWW-Authenticate: Basic"), "{}", answer.head);
        assert!(!answer.body.contains("counterpoint_"), "{}", answer.body);
    }
    let answer = with("Authorization: Basic cHJvbWV0aGV1czpzZWNyZXQ=");
    assert!(answer.head.starts_with("HTTP/1.1 200"), "{}", answer.head);
    serving.end();
}

#[test]
fn a_certificate_that_cannot_be_read_has_its_place() {
    let text = config(Path::new("/no/such/folder"), "");
    let config = counterpoint_exporter::Config::read(&text).unwrap();
    let made = counterpoint_exporter::Exporter::new(&config, |target| {
        Ok::<_, counterpoint_exporter::ConfigError>(counterpoint::EventSet::new(target))
    });
    let error = made.unwrap_err();
    assert_eq!(error.place.line, 3);
    assert!(error.text.contains("/no/such/folder/certificate.pem"), "{error}");
}
