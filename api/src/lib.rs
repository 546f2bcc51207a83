//! HTTP, SSE and WebSocket: the product's surface. The rest of this folder joins when the
//! actors' handle is there.

pub mod input;
pub mod limits;
pub mod metrics;
pub mod problem;
pub mod schema;
pub mod settings;

pub use settings::ServerSettings;
