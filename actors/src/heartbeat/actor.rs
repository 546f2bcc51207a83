//! The timer and the round.

use std::time::Duration;

use actix::{Actor, ActorFutureExt, Addr, AsyncContext, Context, WrapFuture};

use crate::registry::{All, RegistryActor};
use crate::session::Heartbeat;

pub(crate) struct HeartbeatActor {
    registry: Addr<RegistryActor>,
    interval: Duration,
}

impl HeartbeatActor {
    pub(crate) fn begin(registry: Addr<RegistryActor>, interval: Duration) -> Addr<Self> {
        Self { registry, interval }.start()
    }

    fn beat(&mut self, ctx: &mut Context<Self>) {
        let all = self.registry.send(All);
        ctx.spawn(all.into_actor(self).map(|all, _, _| {
            for known in all.unwrap_or_default() {
                if known.card.now().alive && known.actor.try_send(Heartbeat).is_err() {
                    tracing::warn!(session = %known.card.id, "no heartbeat: the inbox is full");
                }
            }
        }));
    }
}

impl Actor for HeartbeatActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.run_interval(self.interval, Self::beat);
    }
}
