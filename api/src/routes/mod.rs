//! Every route, in one table.

mod approvals;
mod audit;
mod calls;
mod drives;
mod events;
mod explain;
mod jobs;
mod live;
mod pages;
mod posture;
mod service;
mod sessions;
mod tools;

use crate::route::Route;

/// The table; `openapi` prints it and `server` registers it.
#[must_use]
pub fn all() -> Vec<&'static Route> {
    let parts: [&'static [Route]; 13] = [
        tools::ROUTES,
        calls::ROUTES,
        events::ROUTES,
        sessions::ROUTES,
        live::ROUTES,
        explain::ROUTES,
        drives::ROUTES,
        approvals::ROUTES,
        jobs::ROUTES,
        audit::ROUTES,
        posture::ROUTES,
        service::ROUTES,
        pages::ROUTES,
    ];
    parts.into_iter().flatten().collect()
}
