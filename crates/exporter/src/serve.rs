//! One loop for everything: requests, intervals and the end.

use crate::http::{Request, Response, Server, Waited};
use crate::profiles::{self, Answer};
use crate::taking::Profiling;
use crate::{Exporter, Format, users};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use std::io;
use std::net::TcpListener;
use std::os::fd::BorrowedFd;
use std::sync::Arc;
use std::time::Instant;

/// Answers requests on a listener until `stop` is readable, and ends intervals; `tell` is given what happens, a sentence each.
///
/// # Errors
/// Returns an error if the listener or `stop` cannot be waited for.
pub fn serve(
    exporter: &mut Exporter,
    listener: TcpListener,
    stop: BorrowedFd<'_>,
    tell: &mut dyn FnMut(&str),
) -> io::Result<()> {
    // Clients need descriptors beside those of events.
    if let Ok((_, hard)) = getrlimit(Resource::RLIMIT_NOFILE) {
        let _ = setrlimit(Resource::RLIMIT_NOFILE, hard, hard);
    }
    let mut server = Server::new(listener)?;
    server.tls = exporter.tls.as_ref().map(|tls| tls.config.clone());
    let mut due = Instant::now() + exporter.interval;
    loop {
        let ready = exporter.profiling.as_ref().and_then(Profiling::ready);
        match server.wait(stop, ready, due)? {
            Waited::Stopped => break,
            Waited::Due => {
                exporter.end_interval();
                server.tls = exporter.tls.as_ref().map(|tls| tls.config.clone());
                let (now, next) = (Instant::now(), due + exporter.interval);
                // Intervals that were missed, as on a machine that slept, are one.
                due = if next > now { next } else { now + exporter.interval };
            }
            Waited::Ready => {
                let answers = exporter.profiling.as_mut().map(Profiling::finish);
                answers.iter().for_each(|response| server.answer_deferred(response));
            }
            Waited::Left => exporter.profiling.iter_mut().for_each(Profiling::cancel),
            Waited::Requests(requests) => answer(exporter, &mut server, &requests),
        }
        for news in exporter.news() {
            tell(&news);
        }
    }
    exporter.end_interval();
    exporter.news().iter().for_each(|news| tell(news));
    if let Some(sender) = exporter.sender.take() {
        sender.finish().iter().for_each(|news| tell(news));
    }
    Ok(())
}

/// Answers requests that have come together: one read serves all of them.
fn answer(exporter: &mut Exporter, server: &mut Server, requests: &[(usize, Request)]) {
    let mut texts: [Option<Arc<[u8]>>; 2] = [None, None];
    let mut is_read = false;
    for (number, request) in requests {
        if !users::admits(&exporter.users, &request.authorization) {
            server.answer(*number, &unauthorized());
            continue;
        }
        let response = match request.path.as_str() {
            "/metrics" => {
                if !is_read {
                    exporter.read();
                    is_read = true;
                }
                let format = Format::preferred(&request.accept);
                let text = &mut texts[usize::from(format == Format::OpenMetrics)];
                let body =
                    text.get_or_insert_with(|| exporter.text(format).into_bytes().into()).clone();
                Response { status: "200 OK", content_type: format.content_type(), lines: "", body }
            }
            "/health" if exporter.is_counting() => Response::plain("200 OK", "counting\n"),
            "/health" => {
                let why = exporter.problems().join("\n");
                let text = format!("nothing is counted\n{why}\n");
                Response::plain("503 Service Unavailable", text)
            }
            "/" => Response::plain("200 OK", exporter.page()),
            profiles::PATH => match exporter.profile(request) {
                Answer::Now(response) => response,
                Answer::Later(time) => {
                    server.defer(*number, time);
                    continue;
                }
            },
            _ => {
                let text =
                    "there is no such page; these are: /metrics /health /debug/pprof/profile /\n";
                Response::plain("404 Not Found", text)
            }
        };
        server.answer(*number, &response);
    }
}

fn unauthorized() -> Response {
    let lines = "WWW-Authenticate: Basic realm=\"counterpoint\", charset=\"UTF-8\"\r\n";
    let text = "a name and a password are needed, by basic authentication\n";
    Response { lines, ..Response::plain("401 Unauthorized", text) }
}
