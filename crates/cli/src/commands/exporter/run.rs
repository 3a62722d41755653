use super::ExporterArgs;
use crate::failure::Failure;
use crate::{input, show};
use counterpoint::perf::process::{Signal, Signals};
use counterpoint::{EventSet, Machine, Target, perf::Host};
use counterpoint_exporter::{Config, ConfigError, Exporter, Place, address, serve};
use std::io::{self, ErrorKind, Write};
use std::net::TcpListener;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread;

/// Exit status 0 after a signal that ends it.
pub fn run(args: &ExporterArgs) -> Result<u8, Failure> {
    // Before anything starts a thread, so that only one receives them.
    let signals = Signals::block()?;
    let file = args.config.as_deref();
    let config = config(args).map_err(|error| located(file, error))?;
    let listener =
        TcpListener::bind(config.listen).map_err(|error| not_listening(&config, error))?;
    let host = Host::local();
    let libraries = args.definitions.libraries(&Machine::new(host.clone()))?;
    let set = |target: Target| {
        let machine = args.vendor.with(Machine::new(host.clone())).map_err(Wrong::Other)?;
        let set = EventSet::with_machine(machine, target);
        Ok(libraries.iter().cloned().fold(set, EventSet::define))
    };
    let mut exporter = Exporter::new(&config, set).map_err(|wrong| match wrong {
        Wrong::Config(error) => located(file, error),
        Wrong::Other(failure) => failure,
    })?;
    for refused in exporter.refused() {
        let Failure { text, help, .. } = located(file, refused);
        let help = help.map(|help| format!("\n  help: {help}")).unwrap_or_default();
        show::note(&format!("{text}; it is not counted{help}"));
    }
    for problem in exporter.problems() {
        show::note(&problem);
    }
    let scheme = if config.tls.is_some() { "https" } else { "http" };
    show::note(&format!("listening on {scheme}://{}/metrics", listener.local_addr()?));
    let (stop, end) = UnixStream::pair()?;
    thread::Builder::new().name("signals".to_string()).spawn(move || wait(&signals, end))?;
    serve(&mut exporter, listener, stop.as_fd(), &mut show::note)?;
    Ok(0)
}

/// The reason why nothing can be exported.
enum Wrong {
    Config(ConfigError),
    Other(Failure),
}

impl From<ConfigError> for Wrong {
    fn from(error: ConfigError) -> Wrong {
        Wrong::Config(error)
    }
}

/// The configuration of the file, with what the options say in its place.
fn config(args: &ExporterArgs) -> Result<Config, ConfigError> {
    let mut config = match &args.config {
        None => Config::default(),
        Some(path) => Config::read(&input::text(path).map_err(|error| ConfigError {
            place: Place::default(),
            text: error.to_string(),
            help: None,
        })?)?,
    };
    if let Some(listen) = &args.listen {
        config.listen = address(listen)?;
    }
    if args.otlp.is_some() {
        config.otlp.clone_from(&args.otlp);
    }
    Ok(config)
}

/// The failure with the place in the file.
fn located(file: Option<&Path>, error: ConfigError) -> Failure {
    let text = match (file, error.place) {
        (Some(path), Place { line: 1.., .. }) => format!("{}:{error}", path.display()),
        (Some(path), _) if error.help.is_none() => format!("{}: {error}", path.display()),
        _ => error.to_string(),
    };
    Failure { help: error.help, ..Failure::new(text) }
}

fn not_listening(config: &Config, error: io::Error) -> Failure {
    let failure = Failure::new(format!("cannot listen on {}: {error}", config.listen));
    match error.kind() {
        ErrorKind::AddrInUse => failure.help(
            "another program listens there, perhaps another exporter; name another port with --listen ADDRESS:PORT",
        ),
        ErrorKind::AddrNotAvailable => {
            failure.help("this machine has no such address; 0.0.0.0 stands for all that it has")
        }
        ErrorKind::PermissionDenied => failure.help("ports below 1024 need privileges; use one from 1024"),
        _ => failure,
    }
}

/// Waits for a signal that ends the program, and passes it on.
fn wait(signals: &Signals, mut end: UnixStream) {
    loop {
        match signals.wait(None) {
            Ok(Some(Signal::Stop { .. })) | Err(_) => break,
            Ok(_) => {}
        }
    }
    // The other end is there as long as the program is.
    let _ = end.write_all(b"x");
}
