-- Journals of drives that were done, and when their files go.
CREATE TABLE journals_done (
    session_id   TEXT PRIMARY KEY,
    agent_id     TEXT NOT NULL,
    remove_at_ms INTEGER NOT NULL
) STRICT;
