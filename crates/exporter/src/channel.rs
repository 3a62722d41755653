//! The bytes of a client: plain, or through TLS.

use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;

#[derive(Debug)]
pub(crate) enum Channel {
    Plain(TcpStream),
    Tls(Box<StreamOwned<ServerConnection, TcpStream>>),
}

impl Channel {
    pub(crate) fn new(stream: TcpStream, tls: Option<&Arc<ServerConfig>>) -> io::Result<Channel> {
        stream.set_nonblocking(true)?;
        let Some(tls) = tls else { return Ok(Channel::Plain(stream)) };
        let connection = ServerConnection::new(tls.clone()).map_err(io::Error::other)?;
        Ok(Channel::Tls(Box::new(StreamOwned::new(connection, stream))))
    }

    /// Returns true if there are bytes of TLS itself to be sent, whoever's turn it is to speak.
    pub(crate) fn wants_write(&self) -> bool {
        matches!(self, Channel::Tls(tls) if tls.conn.wants_write())
    }

    /// Says that nothing more is sent, after the last bytes were taken.
    pub(crate) fn close(&mut self) -> io::Result<()> {
        match self {
            Channel::Plain(stream) => stream.shutdown(Shutdown::Write),
            Channel::Tls(tls) => {
                tls.conn.send_close_notify();
                tls.flush()?;
                tls.sock.shutdown(Shutdown::Write)
            }
        }
    }
}

impl AsFd for Channel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Channel::Plain(stream) => stream.as_fd(),
            Channel::Tls(tls) => tls.sock.as_fd(),
        }
    }
}

impl Read for Channel {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            Channel::Plain(stream) => stream.read(bytes),
            Channel::Tls(tls) => tls.read(bytes),
        }
    }
}

impl Write for Channel {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Channel::Plain(stream) => stream.write(bytes),
            Channel::Tls(tls) => tls.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Channel::Plain(stream) => stream.flush(),
            Channel::Tls(tls) => tls.flush(),
        }
    }
}
