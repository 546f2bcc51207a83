//! HTTP, SSE and WebSocket: the wire of the service. It knows no PTY, no process, no file.

mod settings;

pub use settings::ServerSettings;
