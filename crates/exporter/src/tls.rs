//! The certificate of the server, which is read again when its file changes.

use crate::config::TlsFiles;
use crate::mistake::ConfigError;
use rustls::ServerConfig;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// The certificate and the key, as they were read last.
#[derive(Debug)]
pub(crate) struct Tls {
    files: TlsFiles,
    written: [Option<SystemTime>; 2],
    pub config: Arc<ServerConfig>,
}

impl Tls {
    pub(crate) fn new(files: &TlsFiles) -> Result<Tls, ConfigError> {
        let written = written(files);
        let config = config(files).map_err(|text| {
            ConfigError::new(files.place, text).help("`certificate` and `key` are files in PEM, the certificate with those that signed it")
        })?;
        Ok(Tls { files: files.clone(), written, config })
    }

    /// Reads files that were replaced; an error keeps those that were read.
    pub(crate) fn renew(&mut self) -> Option<String> {
        let written = written(&self.files);
        if written == self.written {
            return None;
        }
        self.written = written;
        match config(&self.files) {
            Ok(config) => {
                self.config = config;
                Some("the certificate was read again".to_string())
            }
            Err(text) => Some(format!("{text}; the certificate that was read before is kept")),
        }
    }
}

fn written(files: &TlsFiles) -> [Option<SystemTime>; 2] {
    let time = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    [time(&files.certificate), time(&files.key)]
}

fn config(files: &TlsFiles) -> Result<Arc<ServerConfig>, String> {
    let TlsFiles { certificate, key, .. } = files;
    let of = |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let chain = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| of(certificate, &error))?;
    let private = PrivateKeyDer::from_pem_file(key).map_err(|error| of(key, &error))?;
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, private))
        .map_err(|error| of(certificate, &error))?;
    Ok(Arc::new(config))
}
