-- Times are milliseconds since 1970, UTC. Hashes are 32-byte blobs.

CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
-- Rises with every change to who may do what; running daemons compare it.
INSERT INTO counters VALUES ('tokens_generation', 0);

CREATE TABLE tokens (
    id           TEXT PRIMARY KEY,
    hash         BLOB NOT NULL UNIQUE,
    role         TEXT NOT NULL,
    agent_id     TEXT NOT NULL,
    origin       TEXT NOT NULL,
    name         TEXT NOT NULL,
    created_ms   INTEGER NOT NULL,
    expires_ms   INTEGER,
    revoked_ms   INTEGER,
    last_used_ms INTEGER
) STRICT;
CREATE TRIGGER tokens_added AFTER INSERT ON tokens BEGIN
    UPDATE counters SET value = value + 1 WHERE name = 'tokens_generation';
END;
CREATE TRIGGER tokens_removed AFTER DELETE ON tokens BEGIN
    UPDATE counters SET value = value + 1 WHERE name = 'tokens_generation';
END;
CREATE TRIGGER tokens_changed
AFTER UPDATE OF hash, role, agent_id, origin, name, expires_ms, revoked_ms ON tokens BEGIN
    UPDATE counters SET value = value + 1 WHERE name = 'tokens_generation';
END;

-- AUTOINCREMENT: an id is never given twice, not even after pruning.
CREATE TABLE events (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    time_ms     INTEGER NOT NULL,
    type        TEXT NOT NULL,
    agent_id    TEXT,
    session_key TEXT,
    session_id  TEXT,
    fields      TEXT NOT NULL
) STRICT;

CREATE TABLE audit (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    time_ms     INTEGER NOT NULL,
    action      TEXT NOT NULL,
    agent_id    TEXT,
    session_key TEXT,
    role        TEXT,
    token_id    TEXT,
    session_id  TEXT,
    outcome     TEXT NOT NULL,
    request_id  TEXT,
    payload     TEXT,
    details     TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_session ON audit (session_id, id);

-- Calls that must outlive the connection: handed out as pending, or carrying a key.
CREATE TABLE calls (
    handle        TEXT PRIMARY KEY,
    token_id      TEXT NOT NULL,
    agent_id      TEXT NOT NULL,
    session_key   TEXT NOT NULL,
    tool          TEXT NOT NULL,
    key           TEXT,
    body_sha256   BLOB,
    state         TEXT NOT NULL,
    started_ms    INTEGER NOT NULL,
    keep_until_ms INTEGER,
    status        INTEGER,
    content_type  TEXT,
    body          BLOB
) STRICT;
CREATE UNIQUE INDEX calls_by_key ON calls (token_id, key) WHERE key IS NOT NULL;
CREATE INDEX calls_by_end ON calls (keep_until_ms) WHERE keep_until_ms IS NOT NULL;

CREATE TABLE sessions (
    session_id TEXT PRIMARY KEY,
    version    INTEGER NOT NULL,
    descriptor TEXT NOT NULL,
    updated_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE approvals (
    id          TEXT PRIMARY KEY,
    agent_id    TEXT NOT NULL,
    session_key TEXT NOT NULL,
    session_id  TEXT,
    kind        TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    summary     TEXT NOT NULL,
    state       TEXT NOT NULL,
    created_ms  INTEGER NOT NULL,
    expires_ms  INTEGER NOT NULL,
    resolved_ms INTEGER,
    resolved_by TEXT,
    note        TEXT
) STRICT;
CREATE INDEX approvals_by_state ON approvals (state, created_ms);

CREATE TABLE outbox (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    url         TEXT NOT NULL,
    event_id    INTEGER NOT NULL,
    type        TEXT NOT NULL,
    body        TEXT NOT NULL,
    created_ms  INTEGER NOT NULL,
    next_ms     INTEGER NOT NULL,
    attempts    INTEGER NOT NULL
) STRICT;
CREATE INDEX outbox_by_url ON outbox (url, id);
