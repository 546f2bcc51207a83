//! `terminal_session_resize`: another size for the terminal.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Annotations, Context, Tool};
use crate::problem::Problem;

pub struct Resize;

/// The new size.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Args {
    #[schemars(length(min = 1, max = 64))]
    session_id: String,
    #[schemars(range(min = 2, max = 500))]
    cols: u16,
    #[schemars(range(min = 2, max = 200))]
    rows: u16,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Reply {
    cols: u16,
    rows: u16,
}

impl Tool for Resize {
    type Args = Args;
    type Reply = Reply;
    const NAME: &'static str = "terminal_session_resize";
    const DESCRIPTION: &'static str = "Change the size of a session's terminal.";
    const ANNOTATIONS: Annotations =
        Annotations { read_only: false, destructive: false, idempotent: true };

    async fn call(context: Context, args: Args) -> Result<Reply, Problem> {
        let (cols, rows) = (args.cols, args.rows);
        context.system.resize(&context.caller, &args.session_id, cols, rows).await?;
        Ok(Reply { cols, rows })
    }
}
