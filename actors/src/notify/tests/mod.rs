//! The outbox and its courier against receivers that misbehave, in virtual time.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;

use super::courier::Courier;
use super::transport::{Post, Transport};
use super::{Notify, sign};
use crate::caller::Owner;
use crate::clock;
use crate::events::{Code, Emit, Event, Events, Notification, NotificationOutcome};
use crate::settings::Webhook;
use crate::store::Store;

const PATIENCE: Duration = Duration::from_secs(20);
const HOUR_MS: i64 = 3_600_000;

/// Receivers by address: what they took, and whether they are up.
#[derive(Default)]
struct Receivers {
    down: Mutex<HashMap<String, bool>>,
    taken: Mutex<Vec<Post>>,
    attempts: Mutex<u32>,
}

impl Receivers {
    fn set_down(&self, url: &str, down: bool) {
        self.down.lock().unwrap().insert(url.to_owned(), down);
    }

    fn ids(&self, url: &str) -> Vec<i64> {
        let taken = self.taken.lock().unwrap();
        taken.iter().filter(|post| post.url == url).map(|post| post.event_id).collect()
    }
}

impl Transport for Arc<Receivers> {
    fn post(&self, post: Post) -> BoxFuture<'static, Result<(), String>> {
        *self.attempts.lock().unwrap() += 1;
        let down = self.down.lock().unwrap().get(&post.url).copied().unwrap_or(false);
        if !down {
            self.taken.lock().unwrap().push(post);
        }
        Box::pin(async move { if down { Err("down".to_owned()) } else { Ok(()) } })
    }
}

fn webhook(url: &str, events: &[&str]) -> Webhook {
    Webhook {
        url: url.to_owned(),
        secret: format!("secret of {url}"),
        events: events.iter().map(|event| (*event).to_owned()).collect(),
    }
}

fn notification(outcome: NotificationOutcome) -> Emit {
    Emit {
        owner: Some(Owner { agent_id: "a".to_owned(), session_key: "main".to_owned() }),
        session_id: Some("ts_1".to_owned()),
        event: Event::Notification(Box::new(Notification {
            outcome,
            reason: Some(Code::of("exit")),
            error_kind: None,
            duration: Duration::from_secs(1),
            interactions: 1,
            cost_usd: 0.0,
            excerpt: None,
        })),
    }
}

struct World {
    _dir: tempfile::TempDir,
    store: Store,
    events: Events,
    receivers: Arc<Receivers>,
    courier: Courier,
}

async fn world(webhooks: &[Webhook]) -> World {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let events = Events::start(store.clone()).await.unwrap();
    events.set_routes(super::routes(webhooks), Arc::default()).await;
    let receivers = Arc::new(Receivers::default());
    let courier = Courier::new(store.clone(), Arc::new(Arc::clone(&receivers)));
    World { _dir: dir, store, events, receivers, courier }
}

impl World {
    async fn notify(&self, outcome: NotificationOutcome) -> i64 {
        self.events.emit_durable(notification(outcome)).await.unwrap()
    }

    async fn waiting(&self) -> i64 {
        self.store
            .read(|tx| Ok(tx.query_row("SELECT count(*) FROM outbox", [], |row| row.get(0))?))
            .await
            .unwrap()
    }
}

#[actix_rt::test]
async fn down_for_an_hour_then_everything_once_in_order_and_signed() {
    let hooks = [webhook("http://down", &[]), webhook("http://up", &[])];
    let world = world(&hooks).await;
    world.receivers.set_down("http://down", true);
    let mut ids = Vec::new();
    for _ in 0..50 {
        ids.push(world.notify(NotificationOutcome::Done).await);
    }
    let start = clock::unix_ms() + 1;
    let (mut now, mut rounds) = (start, 0);
    while now < start + HOUR_MS {
        let next = world.courier.round(&hooks, now).await.unwrap();
        now = next.unwrap().max(now + 1);
        rounds += 1;
    }
    // Growing pauses: an hour is not thousands of attempts.
    assert!(rounds < 30, "{rounds} rounds");
    assert_eq!(world.receivers.ids("http://up"), ids);
    assert_eq!(world.receivers.ids("http://down"), Vec::<i64>::new());
    world.receivers.set_down("http://down", false);
    while world.courier.round(&hooks, now).await.unwrap().is_some() {
        now += 1;
    }
    assert_eq!(world.receivers.ids("http://down"), ids);
    assert_eq!(world.waiting().await, 0);
    for post in world.receivers.taken.lock().unwrap().iter() {
        let secret = format!("secret of {}", post.url);
        assert_eq!(post.signature, sign(&secret, post.timestamp, &post.body));
        let body: serde_json::Value = serde_json::from_str(&post.body).unwrap();
        assert_eq!(body["id"], post.event_id);
        assert_eq!((&body["type"], &body["agentId"]), (&"drive:notification".into(), &"a".into()));
        assert_eq!((&body["sessionId"], &body["outcome"]), (&"ts_1".into(), &"done".into()));
    }
}

#[actix_rt::test]
async fn after_a_day_a_delivery_is_given_up_and_the_next_one_goes() {
    let hooks = [webhook("http://a", &[])];
    let world = world(&hooks).await;
    world.receivers.set_down("http://a", true);
    world.notify(NotificationOutcome::Done).await;
    let mut now = clock::unix_ms() + 1;
    let end = now + 25 * HOUR_MS;
    while let Some(next) = world.courier.round(&hooks, now).await.unwrap() {
        assert!(next < end, "tried for more than a day");
        now = next.max(now + 1);
    }
    assert_eq!(world.waiting().await, 0);
    world.receivers.set_down("http://a", false);
    let second = world.notify(NotificationOutcome::Done).await;
    world.courier.round(&hooks, clock::unix_ms() + 1).await.unwrap();
    assert_eq!(world.receivers.ids("http://a"), [second]);
}

#[actix_rt::test]
async fn only_what_a_webhook_asked_for() {
    let hooks = [webhook("http://needs", &["needs-you"]), webhook("http://all", &["*"])];
    let world = world(&hooks).await;
    world.notify(NotificationOutcome::Done).await;
    let needs = world.notify(NotificationOutcome::NeedsYou).await;
    let other = Emit {
        owner: None,
        session_id: None,
        event: Event::DrivePromoted { reason: Code::of("x") },
    };
    let other = world.events.emit_durable(other).await.unwrap();
    world.courier.round(&hooks, clock::unix_ms() + 1).await.unwrap();
    assert_eq!(world.receivers.ids("http://needs"), [needs]);
    assert_eq!(world.receivers.ids("http://all"), [needs - 1, needs, other]);
}

/// A real receiver on a loopback address that is listed literally.
fn receiver() -> (String, std::thread::JoinHandle<(Vec<String>, String)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let thread = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let (mut head, mut length) = (Vec::new(), 0);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            let line = line.trim_end().to_ascii_lowercase();
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.parse().unwrap();
            }
            if line.is_empty() {
                break;
            }
            head.push(line);
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n").unwrap();
        (head, String::from_utf8(body).unwrap())
    });
    (url, thread)
}

#[actix_rt::test]
async fn over_real_http_by_itself() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let events = Events::start(store.clone()).await.unwrap();
    let notify = Notify::start(store, events.clone());
    let (url, thread) = receiver();
    notify.configure(&[webhook(&url, &["done"])]).await;
    let id = events.emit_durable(notification(NotificationOutcome::Done)).await.unwrap();
    let received = tokio::task::spawn_blocking(move || thread.join().unwrap());
    let (head, body) = tokio::time::timeout(PATIENCE, received).await.unwrap().unwrap();
    let header = |name: &str| {
        let prefix = format!("{name}: ");
        head.iter().find_map(|line| line.strip_prefix(&prefix)).unwrap().to_owned()
    };
    assert_eq!(head[0], "post /hook http/1.1");
    assert_eq!(header("ttydrive-event"), "drive:notification");
    assert_eq!(header("ttydrive-event-id"), id.to_string());
    let timestamp = header("ttydrive-timestamp").parse().unwrap();
    let secret = format!("secret of {url}");
    assert_eq!(header("ttydrive-signature"), sign(&secret, timestamp, &body));
}

#[actix_rt::test]
async fn a_removed_webhook_loses_its_deliveries() {
    let hooks = [webhook("http://127.0.0.1:9/old", &[])];
    let world = world(&hooks).await;
    world.notify(NotificationOutcome::Done).await;
    assert_eq!(world.waiting().await, 1);
    let notify = Notify::start(world.store.clone(), world.events.clone());
    notify.configure(&[]).await;
    assert_eq!(world.waiting().await, 0);
}
