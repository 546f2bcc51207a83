-- Promoted drives that have not ended.
CREATE TABLE drives (
    session_id   TEXT PRIMARY KEY,
    allow_id     TEXT NOT NULL,
    agent_id     TEXT NOT NULL,
    session_key  TEXT NOT NULL,
    promoted_ms  INTEGER NOT NULL,
    cost_usd_max REAL,
    notify       TEXT NOT NULL,
    heartbeat_ms INTEGER NOT NULL
) STRICT;
