//! OTLP/HTTP: what is sent, and what sends it.

mod client;
mod messages;
mod request;
mod sender;

pub(crate) use sender::Sender;
