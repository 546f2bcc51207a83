//! HTTP, SSE and WebSocket: the wire of the service. It knows no PTY, no process, no file.

pub mod input;
pub mod limits;
pub mod problem;
pub mod schema;
mod settings;

pub use settings::ServerSettings;
