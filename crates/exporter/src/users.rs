//! Users, and their passwords by basic authentication.

use crate::config::User;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// Returns true if the header `Authorization` of a request is that of a user, or if there are no users.
pub(crate) fn admits(users: &[User], authorization: &str) -> bool {
    users.is_empty() || named(users, authorization).unwrap_or(false)
}

fn named(users: &[User], authorization: &str) -> Option<bool> {
    let (scheme, credentials) = authorization.trim().split_once(' ')?;
    let credentials = STANDARD.decode(credentials.trim()).ok()?;
    let colon = credentials.iter().position(|byte| *byte == b':')?;
    let (name, password) = (&credentials[..colon], &credentials[colon + 1..]);
    let digest: [u8; 32] = Sha256::digest(password).into();
    let is_user = |user: &User| {
        // The time does not depend on where they differ.
        let differences =
            user.password_sha256.iter().zip(digest).fold(0, |sum, (a, b)| sum | (a ^ b));
        differences == 0 && user.name.as_bytes() == name
    };
    Some(scheme.eq_ignore_ascii_case("basic") && users.iter().any(is_user))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_has_a_name_and_a_password() {
        let user = |name: &str, password: &str| User {
            name: name.to_string(),
            password_sha256: Sha256::digest(password).into(),
        };
        let users = [user("prometheus", "se:cret"), user("other", "word")];
        let header = |text: &str| format!("Basic {}", STANDARD.encode(text));
        for (text, expected) in [
            ("prometheus:se:cret", true),
            ("other:word", true),
            ("other:se:cret", false),
            ("prometheus:", false),
            ("prometheus", false),
        ] {
            assert_eq!(admits(&users, &header(text)), expected, "{text}");
        }
        for wrong in ["", "Basic", "Basic %", "Bearer cHJvbWV0aGV1czpzZTpjcmV0"] {
            assert!(!admits(&users, wrong), "{wrong}");
            assert!(admits(&[], wrong));
        }
    }
}
