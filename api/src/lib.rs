//! HTTP, SSE and WebSocket.

pub mod input;
pub mod limits;
pub mod problem;
pub mod schema;
