//! HTTP, SSE and WebSocket: the product's surface.
//!
//! ```text
//! edge (id, host, panics) ─▶ gate (token, role, body, query) ─▶ routes / tools ─▶ actors
//! ```
//!
//! One table of routes and one list of tools; catalogue, schemas, OpenAPI and checks come from
//! them. Only this crate knows status codes. It knows nothing of PTYs, processes or files
//! (its own unix socket aside), and it makes no screen text: it passes on `SafeText`.

mod budget;
mod call;
mod docs;
mod error;
mod gate;
mod input;
mod limits;
mod metrics;
mod openapi;
mod problem;
mod route;
mod routes;
mod schema;
mod server;
mod settings;
mod tools;
mod wire;

pub use server::{ServeError, Server, check, serve};
pub use settings::ServerSettings;

#[cfg(test)]
mod golden;
