-- Times are milliseconds since 1970 in UTC.

-- +goose Up
CREATE TABLE deliveries (
    guid            TEXT    NOT NULL PRIMARY KEY,
    event           TEXT    NOT NULL,
    action          TEXT    NOT NULL,
    installation_id BIGINT  NOT NULL,
    repository_id   BIGINT  NOT NULL,
    state           TEXT    NOT NULL CHECK (state IN ('open', 'done', 'failed')),
    received_at     BIGINT  NOT NULL,
    finished_at     BIGINT
);
CREATE INDEX deliveries_finished_at ON deliveries (finished_at) WHERE finished_at IS NOT NULL;

-- What events named: a pull request to judge, or a head or task whose pull requests are looked up.
-- changes counts the events, handled is the count that the last finished run had seen.
CREATE TABLE targets (
    id              INTEGER PRIMARY KEY,
    repository_id   BIGINT  NOT NULL,
    kind            TEXT    NOT NULL CHECK (kind IN ('pull_request', 'head', 'issue')),
    name            TEXT    NOT NULL,
    installation_id BIGINT  NOT NULL,
    owner           TEXT    NOT NULL,
    repository      TEXT    NOT NULL,
    head_sha        TEXT    NOT NULL,
    changes         BIGINT  NOT NULL,
    handled         BIGINT  NOT NULL,
    rerun_at_change BIGINT  NOT NULL,
    first_event_at  BIGINT  NOT NULL,
    last_event_at   BIGINT  NOT NULL,
    failure         TEXT    NOT NULL,
    failed_at       BIGINT,
    UNIQUE (repository_id, kind, name)
);
CREATE INDEX targets_unhandled ON targets (first_event_at) WHERE changes > handled;

-- Which deliveries wait for which target, and for the run that has seen which change.
CREATE TABLE waits (
    guid      TEXT   NOT NULL REFERENCES deliveries (guid) ON DELETE CASCADE,
    target_id BIGINT NOT NULL REFERENCES targets (id) ON DELETE CASCADE,
    change    BIGINT NOT NULL,
    PRIMARY KEY (guid, target_id)
);
CREATE INDEX waits_target ON waits (target_id, change);

-- The tasks each pull request was linked to when it was last judged: a deleted task no longer tells.
CREATE TABLE links (
    target_id BIGINT NOT NULL REFERENCES targets (id) ON DELETE CASCADE,
    task      TEXT   NOT NULL,
    PRIMARY KEY (target_id, task)
);
CREATE INDEX links_task ON links (task);

CREATE TABLE heartbeat (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    at BIGINT  NOT NULL
);

-- +goose Down
DROP TABLE heartbeat;
DROP TABLE links;
DROP TABLE waits;
DROP TABLE targets;
DROP TABLE deliveries;
