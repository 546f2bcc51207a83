//! Runs the reconciler every 30 seconds, or earlier when a cap is nearer, and carries out
//! what it says.

use std::time::Duration;

use actix::{Actor, ActorFutureExt, Addr, AsyncContext, Context, Handler, Message, WrapFuture};

use super::machine::{self, Action, View};
use crate::caller::Origin;
use crate::clock;
use crate::limits::REAP_EVERY;
use crate::registry::{All, Known, RegistryActor, Remove};
use crate::session::Evict;
use crate::session_types::SessionState;

/// Caps are kept to within this.
const NEAREST: Duration = Duration::from_secs(1);

pub(crate) struct ReaperActor {
    registry: Addr<RegistryActor>,
}

/// From the timer, or from whoever suspects that there is something to do. No reply.
#[derive(Message, Debug, Clone, Copy)]
#[rtype(result = "()")]
pub(crate) struct Poke;

impl ReaperActor {
    pub(crate) fn begin(registry: Addr<RegistryActor>) -> Addr<Self> {
        Self { registry }.start()
    }

    fn reap(&mut self, ctx: &mut Context<Self>) {
        let all = self.registry.send(All);
        ctx.spawn(all.into_actor(self).map(|all, this, ctx| {
            let mut pause = REAP_EVERY;
            if let Ok(all) = all {
                let views: Vec<View> = all.iter().map(view).collect();
                for action in machine::reconcile(&views) {
                    this.act(&all, action);
                }
                pause = views.iter().map(next_cap).fold(pause, Duration::min).max(NEAREST);
            }
            ctx.notify_later(Poke, pause);
        }));
    }

    fn act(&self, all: &[Known], action: Action) {
        match action {
            Action::Evict { session_id, reason, limit } => {
                let known = all.iter().find(|known| known.card.id == session_id);
                if known.is_some_and(|k| k.actor.try_send(Evict { reason, limit }).is_err()) {
                    tracing::warn!(session = session_id, "not evicted yet; trying again");
                }
            }
            Action::Forget { session_id } => {
                // Not taken now: the next run sees it again.
                let _ = self.registry.try_send(Remove { session_id });
            }
        }
    }
}

/// Until the session's next cap can be reached.
fn next_cap(view: &View) -> Duration {
    let wall = view.wall_clock_max_ms.map(|max| max.saturating_sub(view.age_ms));
    let idle = (view.idle_ttl_ms > 0).then(|| view.idle_ttl_ms.saturating_sub(view.quiet_ms));
    let nearest = [wall, idle].into_iter().flatten().min().unwrap_or(u64::MAX);
    Duration::from_millis(nearest)
}

fn view(known: &Known) -> View {
    let card = &known.card;
    let now = card.now();
    let quiet = clock::unix_ms().saturating_sub(now.last_activity_ms);
    let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    View {
        session_id: card.id.clone(),
        alive: now.alive,
        connected: known.actor.connected(),
        busy: now.busy && now.state == SessionState::Working,
        unattended: card.origin == Origin::Unattended,
        tasked: now.tasked,
        age_ms: millis(card.age()),
        quiet_ms: u64::try_from(quiet).unwrap_or(0),
        idle_ttl_ms: millis(card.idle_ttl),
        wall_clock_max_ms: card.entry.limits.wall_clock.map(millis),
    }
}

impl Actor for ReaperActor {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        ctx.notify_later(Poke, NEAREST);
    }
}

impl Handler<Poke> for ReaperActor {
    type Result = ();

    fn handle(&mut self, _: Poke, ctx: &mut Self::Context) {
        self.reap(ctx);
    }
}
