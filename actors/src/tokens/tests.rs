//! Tokens through their public functions, beside an open store.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use super::{
    ADMIN_TOKEN_FILE, AuthError, NewToken, TokenError, Tokens, create, ensure_admin_token, list,
    revoke,
};
use crate::caller::{Origin, Role};
use crate::store::{Store, StoreError};

fn wish(role: Role) -> NewToken {
    NewToken {
        role,
        agent_id: "alpha".to_owned(),
        origin: Origin::Unattended,
        name: Some("ci".to_owned()),
        ttl: None,
    }
}

fn files_contain(dir: &Path, needle: &[u8]) -> bool {
    let paths = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.is_file()).any(|path| {
        let bytes = std::fs::read(path).unwrap();
        bytes.windows(needle.len()).any(|window| window == needle)
    })
}

#[actix_rt::test]
async fn a_token_made_beside_the_daemon_works_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let tokens = Tokens::new(Store::open(dir.path()).unwrap());
    let (_, other) = create(dir.path(), wish(Role::Viewer)).unwrap();
    tokens.authenticate(&other).await.unwrap();
    let (info, secret) = create(dir.path(), wish(Role::Agent)).unwrap();
    let identity = tokens.authenticate(&secret).await.unwrap();
    assert_eq!(identity.token_id, info.id);
    assert_eq!((identity.role, identity.origin), (Role::Agent, Origin::Unattended));
    assert_eq!(identity.agent_id, "alpha");
}

#[actix_rt::test]
async fn the_secret_is_32_bytes_and_nowhere_on_disk() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let (info, secret) = create(dir.path(), wish(Role::Agent)).unwrap();
    assert_eq!(secret.len(), 43);
    assert!(!files_contain(dir.path(), secret.as_bytes()));
    // The search itself works: the id is there.
    assert!(files_contain(dir.path(), info.id.as_bytes()));
    drop(store);
}

#[actix_rt::test]
async fn wrong_tokens_are_refused_alike() {
    let dir = tempfile::tempdir().unwrap();
    let tokens = Tokens::new(Store::open(dir.path()).unwrap());
    let (_, secret) = create(dir.path(), wish(Role::Agent)).unwrap();
    let mut wrong = secret.clone();
    let first = if wrong.starts_with('A') { "B" } else { "A" };
    wrong.replace_range(0..1, first);
    for bad in ["", "x", wrong.as_str(), &format!("{secret}="), &format!(" {secret}")] {
        assert_eq!(tokens.authenticate(bad).await, Err(AuthError::Refused), "{bad:?}");
    }
    tokens.authenticate(&secret).await.unwrap();
}

#[actix_rt::test]
async fn a_revoked_token_is_refused_within_a_second() {
    let dir = tempfile::tempdir().unwrap();
    let tokens = Tokens::new(Store::open(dir.path()).unwrap());
    let (info, secret) = create(dir.path(), wish(Role::Admin)).unwrap();
    tokens.authenticate(&secret).await.unwrap();
    revoke(dir.path(), &info.id).unwrap();
    let refused = async {
        while tokens.authenticate(&secret).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(1), refused).await.unwrap();
    assert_eq!(list(dir.path()).unwrap(), []);
    assert_eq!(revoke(dir.path(), &info.id), Err(TokenError::NotFound { id: info.id }));
}

#[actix_rt::test]
async fn a_token_ends_with_its_time() {
    let dir = tempfile::tempdir().unwrap();
    let tokens = Tokens::new(Store::open(dir.path()).unwrap());
    let long = NewToken { ttl: Some(Duration::from_secs(3600)), ..wish(Role::Agent) };
    let (info, secret) = create(dir.path(), long).unwrap();
    assert!(info.expires_at.is_some());
    tokens.authenticate(&secret).await.unwrap();
    let over = NewToken { ttl: Some(Duration::ZERO), ..wish(Role::Agent) };
    let (_, secret) = create(dir.path(), over).unwrap();
    assert_eq!(tokens.authenticate(&secret).await, Err(AuthError::Refused));
}

#[actix_rt::test]
async fn use_is_noted() {
    let dir = tempfile::tempdir().unwrap();
    let tokens = Tokens::new(Store::open(dir.path()).unwrap());
    let (_, secret) = create(dir.path(), wish(Role::Agent)).unwrap();
    assert_eq!(list(dir.path()).unwrap()[0].last_used_at, None);
    tokens.authenticate(&secret).await.unwrap();
    let noted = async {
        while list(dir.path()).unwrap()[0].last_used_at.is_none() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), noted).await.unwrap();
}

#[test]
fn a_bad_wish_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    for agent in ["", "../x", "a/b", ".hidden", &"a".repeat(65), "white space"] {
        let new = NewToken { agent_id: agent.to_owned(), ..wish(Role::Agent) };
        assert!(matches!(create(dir.path(), new), Err(TokenError::Invalid { .. })), "{agent}");
    }
    let new = NewToken { name: Some("line\nbreak".to_owned()), ..wish(Role::Agent) };
    assert!(create(dir.path(), new).is_err());
    assert_eq!(list(dir.path()).unwrap(), []);
}

#[actix_rt::test]
async fn the_first_start_makes_one_admin_token() {
    let dir = tempfile::tempdir().unwrap();
    let tokens = Tokens::new(Store::open(dir.path()).unwrap());
    ensure_admin_token(dir.path()).unwrap();
    let path = dir.path().join(ADMIN_TOKEN_FILE);
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let secret = std::fs::read_to_string(&path).unwrap();
    let identity = tokens.authenticate(secret.trim()).await.unwrap();
    assert_eq!(identity.role, Role::Admin);
    ensure_admin_token(dir.path()).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), secret);
    assert_eq!(list(dir.path()).unwrap().len(), 1);
    // Deleted by the operator: it stays away.
    std::fs::remove_file(&path).unwrap();
    ensure_admin_token(dir.path()).unwrap();
    assert!(!path.exists());
}

#[actix_rt::test]
async fn a_crash_between_file_and_row_is_repaired() {
    let dir = tempfile::tempdir().unwrap();
    let tokens = Tokens::new(Store::open(dir.path()).unwrap());
    let secret = super::secret::make().unwrap();
    std::fs::write(dir.path().join(ADMIN_TOKEN_FILE), &secret).unwrap();
    ensure_admin_token(dir.path()).unwrap();
    assert_eq!(tokens.authenticate(&secret).await.unwrap().role, Role::Admin);
}

#[test]
fn a_data_dir_that_cannot_be_made_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("file"), "").unwrap();
    let refused = create(&dir.path().join("file/data"), wish(Role::Agent)).unwrap_err();
    assert!(matches!(refused, TokenError::Store(StoreError::File { .. })), "{refused:?}");
    assert!(refused.hint().is_some());
}
