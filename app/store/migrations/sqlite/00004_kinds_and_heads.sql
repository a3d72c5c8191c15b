-- More kinds of targets, the head that was judged last, and since when its check run waits. SQLite
-- cannot change a CHECK in place, so the table is written anew. What hangs on it is written anew
-- first: dropping the table while it hangs there would delete it (ON DELETE CASCADE).

-- +goose Up
CREATE TABLE targets_new (
    id              INTEGER PRIMARY KEY,
    repository_id   BIGINT  NOT NULL,
    -- A base (branch) and a repository stand for their open pull requests, an installation for all of
    -- its repositories; its repository_id is 0.
    kind            TEXT    NOT NULL CHECK (kind IN ('pull_request', 'head', 'issue', 'base', 'repository', 'installation')),
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
    enrolment       TEXT    NOT NULL DEFAULT '' CHECK (enrolment IN ('', 'in', 'out')),
    check_name      TEXT    NOT NULL DEFAULT '',
    mode            TEXT    NOT NULL DEFAULT '',
    judged_issue    BIGINT  NOT NULL DEFAULT 0,
    -- The head that the last finished run judged, and since when its verdict waits.
    judged_sha      TEXT    NOT NULL DEFAULT '',
    pending_since   BIGINT,
    UNIQUE (repository_id, kind, name)
);
INSERT INTO targets_new (id, repository_id, kind, name, installation_id, owner, repository, head_sha, changes, handled,
        rerun_at_change, first_event_at, last_event_at, failure, failed_at, enrolment, check_name, mode, judged_issue, judged_sha)
    SELECT id, repository_id, kind, name, installation_id, owner, repository, head_sha, changes, handled,
        rerun_at_change, first_event_at, last_event_at, failure, failed_at, enrolment, check_name, mode, judged_issue,
        CASE WHEN enrolment <> '' AND changes = handled AND failed_at IS NULL THEN head_sha ELSE '' END FROM targets;

CREATE TABLE waits_new (
    guid      TEXT   NOT NULL REFERENCES deliveries (guid) ON DELETE CASCADE,
    target_id BIGINT NOT NULL REFERENCES targets_new (id) ON DELETE CASCADE,
    change    BIGINT NOT NULL,
    PRIMARY KEY (guid, target_id)
);
INSERT INTO waits_new (guid, target_id, change) SELECT guid, target_id, change FROM waits;
CREATE TABLE links_new (
    target_id BIGINT NOT NULL REFERENCES targets_new (id) ON DELETE CASCADE,
    task      TEXT   NOT NULL,
    PRIMARY KEY (target_id, task)
);
INSERT INTO links_new (target_id, task) SELECT target_id, task FROM links;
CREATE TABLE wakes_new (
    target_id BIGINT NOT NULL PRIMARY KEY REFERENCES targets_new (id) ON DELETE CASCADE,
    at        BIGINT NOT NULL
);
INSERT INTO wakes_new (target_id, at) SELECT target_id, at FROM wakes;

DROP TABLE wakes;
DROP TABLE waits;
DROP TABLE links;
DROP TABLE targets;
-- A renamed table takes the references to it along.
ALTER TABLE targets_new RENAME TO targets;
ALTER TABLE waits_new RENAME TO waits;
ALTER TABLE links_new RENAME TO links;
ALTER TABLE wakes_new RENAME TO wakes;
CREATE INDEX targets_unhandled ON targets (first_event_at) WHERE changes > handled;
CREATE INDEX targets_head ON targets (repository_id, head_sha) WHERE kind = 'pull_request';
CREATE INDEX targets_judged ON targets (repository_id, judged_sha) WHERE kind = 'pull_request';
CREATE INDEX targets_pending ON targets (pending_since) WHERE pending_since IS NOT NULL;
CREATE INDEX targets_installation ON targets (installation_id);
CREATE INDEX waits_target ON waits (target_id, change);
CREATE INDEX links_task ON links (task);
CREATE INDEX wakes_at ON wakes (at);

-- When the deliveries that GitHub could not bring were last looked through.
CREATE TABLE recovery (
    id           INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    looked_until BIGINT  NOT NULL
);

-- +goose Down
DROP TABLE recovery;
DELETE FROM targets WHERE kind IN ('base', 'repository', 'installation');
DROP INDEX targets_installation;
DROP INDEX targets_pending;
DROP INDEX targets_judged;
DROP INDEX targets_head;
ALTER TABLE targets DROP COLUMN pending_since;
ALTER TABLE targets DROP COLUMN judged_sha;
