//! The tools. One file per tool holds arguments, reply, description, annotations and handler;
//! `list` is the one list. Catalogue, schemas, OpenAPI and `search_tools` come from it.

mod access;
mod catalogue;
mod collect_result;
mod create;
mod kill;
mod list;
mod read;
mod resize;
mod search_tools;
mod send_key;
mod send_text;
mod status;
mod wait;

use std::sync::LazyLock;

use actors::{Caller, System};
use futures_util::future::LocalBoxFuture;
use policy::outgoing::Wrap;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::input;
use crate::problem::Problem;
use crate::schema;

pub use access::refusal;
pub use catalogue::{Shape, catalogue};
pub use collect_result::{Pending, collect};
pub use read::{Format, Reply as ScreenMembers};
pub use status::{Reply as StatusMembers, of as status_members};

/// What a client may assume of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Annotations {
    pub read_only: bool,
    pub destructive: bool,
    pub idempotent: bool,
}

/// Who calls, and with what rights to see the screen bare.
#[derive(Clone)]
pub struct Context {
    pub system: System,
    pub caller: Caller,
    pub wrap: Wrap,
}

/// What a finished call answers.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub content_type: String,
    pub body: Vec<u8>,
    pub retry_after_secs: Option<u64>,
}

impl Answer {
    /// # Errors
    /// When the reply cannot be written as JSON, which no reply type of ours allows.
    pub fn json<T: Serialize>(status: u16, reply: &T) -> Result<Self, Problem> {
        let body = serde_json::to_vec(reply).map_err(|error| {
            tracing::error!(%error, "a reply could not be serialised");
            Problem::internal()
        })?;
        let content_type = "application/json".to_owned();
        Ok(Self { status, content_type, body, retry_after_secs: None })
    }
}

/// One tool, as its file defines it.
trait Tool: 'static {
    type Args: DeserializeOwned + JsonSchema;
    type Reply: Serialize + JsonSchema;
    const NAME: &'static str;
    const DESCRIPTION: &'static str;
    const ANNOTATIONS: Annotations;

    fn call(
        context: Context,
        args: Self::Args,
    ) -> impl Future<Output = Result<Self::Reply, Problem>>;
}

type Run = fn(&'static Entry, Context, Value) -> LocalBoxFuture<'static, Result<Answer, Problem>>;

/// One row of the list.
pub struct Entry {
    pub name: &'static str,
    pub description: &'static str,
    pub annotations: Annotations,
    pub input: Value,
    pub output: Value,
    run: Run,
}

impl Entry {
    fn of<T: Tool>() -> Self {
        Self {
            name: T::NAME,
            description: T::DESCRIPTION,
            annotations: T::ANNOTATIONS,
            input: schema::input::<T::Args>(),
            output: schema::output::<T::Reply>(),
            run: |entry, context, value| {
                Box::pin(async move {
                    let args = input::typed::<T::Args>(&entry.input, value)?;
                    Answer::json(200, &T::call(context, args).await?)
                })
            },
        }
    }

    /// Runs the tool; the arguments are checked first.
    ///
    /// # Errors
    /// What the tool refuses or fails with.
    pub async fn run(&'static self, context: Context, value: Value) -> Result<Answer, Problem> {
        (self.run)(self, context, value).await
    }
}

static TOOLS: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    vec![
        Entry::of::<create::Create>(),
        Entry::of::<list::List>(),
        Entry::of::<read::Read>(),
        Entry::of::<send_text::SendText>(),
        Entry::of::<send_key::SendKey>(),
        Entry::of::<wait::Wait>(),
        Entry::of::<status::Status>(),
        Entry::of::<resize::Resize>(),
        Entry::of::<kill::Kill>(),
        collect_result::entry(),
        Entry::of::<search_tools::SearchTools>(),
    ]
});

/// Every tool, in the order of the documentation.
#[must_use]
pub fn list() -> &'static [Entry] {
    &TOOLS
}

#[must_use]
pub fn find(name: &str) -> Option<&'static Entry> {
    list().iter().find(|entry| entry.name == name)
}

/// Annotations of a tool that only looks.
const READ_ONLY: Annotations =
    Annotations { read_only: true, destructive: false, idempotent: true };
