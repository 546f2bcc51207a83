//! `terminal_session_create`: start an allow-listed program in its jail.

use std::path::PathBuf;

use actors::session_types as inner;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Annotations, Context, Tool};
use crate::problem::Problem;
use crate::wire::{BackendName, SessionState};

pub struct Create;

/// What to start, and how large.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    /// The operator's allow entry whose program is started.
    #[schemars(length(min = 1, max = 128))]
    allow_id: String,
    /// The program, when named at all, must be the allow entry's own.
    #[schemars(length(min = 1, max = 4096))]
    command: Option<String>,
    /// Arguments, passed directly; no shell reads them.
    #[serde(default)]
    #[schemars(length(max = 1024))]
    args: Vec<String>,
    /// Working directory inside the workspace.
    #[schemars(length(min = 1, max = 4096))]
    cwd: Option<String>,
    /// Opens the workspace's project of this name, created on first use; wins over cwd.
    #[schemars(length(max = 1024))]
    project: Option<String>,
    /// Columns; the operator's default when absent.
    #[schemars(range(min = 2, max = 500))]
    cols: Option<u16>,
    /// Rows; the operator's default when absent.
    #[schemars(range(min = 2, max = 200))]
    rows: Option<u16>,
    /// A label for lists.
    #[schemars(length(min = 1, max = 128))]
    name: Option<String>,
}

/// The session that was started.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reply {
    session_id: String,
    allow_id: String,
    name: String,
    cwd: String,
    cols: u16,
    rows: u16,
    backend: BackendName,
    durable: bool,
    state: SessionState,
    /// RFC 3339, UTC.
    created_at: String,
}

impl Tool for Create {
    type Args = Args;
    type Reply = Reply;
    const NAME: &'static str = "terminal_session_create";
    const DESCRIPTION: &'static str = "Start an allow-listed interactive program in a jail on \
        its own terminal. Returns when the program runs. Use terminal_session_wait next.";
    const ANNOTATIONS: Annotations =
        Annotations { read_only: false, destructive: false, idempotent: false };

    async fn call(context: Context, args: Args) -> Result<Reply, Problem> {
        no_nul(&args)?;
        let create = inner::Create {
            allow_id: args.allow_id,
            command: args.command,
            args: args.args,
            cwd: args.cwd.map(PathBuf::from),
            project: args.project,
            cols: args.cols,
            rows: args.rows,
            name: args.name,
        };
        let created = context.system.create(&context.caller, create).await?;
        Ok(Reply {
            session_id: created.session_id,
            allow_id: created.allow_id,
            name: created.name,
            cwd: created.cwd.to_string_lossy().into_owned(),
            cols: created.cols,
            rows: created.rows,
            backend: created.backend.into(),
            durable: created.durable,
            state: created.state.into(),
            created_at: created.created_at,
        })
    }
}

/// An argument ends at a NUL for the kernel, so one that holds a NUL cannot be passed on.
fn no_nul(args: &Args) -> Result<(), Problem> {
    let single = [
        ("allowId", Some(&args.allow_id)),
        ("command", args.command.as_ref()),
        ("cwd", args.cwd.as_ref()),
        ("name", args.name.as_ref()),
    ];
    for (field, value) in single {
        if value.is_some_and(|value| value.contains('\0')) {
            return Err(Problem::invalid(field, format!("`{field}` contains a NUL character")));
        }
    }
    match args.args.iter().position(|arg| arg.contains('\0')) {
        Some(index) => {
            let field = format!("args[{index}]");
            let detail = format!("`{field}` contains a NUL character");
            Err(Problem::invalid(field, detail))
        }
        None => Ok(()),
    }
}
