-- People and the contract: what was remembered of it, who pressed which button, who was asked for an
-- approval, and when to look again.

-- +goose Up

-- The task of a pull request in its last published report; 0 for none.
ALTER TABLE targets ADD COLUMN judged_issue BIGINT NOT NULL DEFAULT 0;

-- The contract of a pull request as it was first seen, with what was added and accepted since. It is
-- private. An empty one was looked for and is not there yet.
CREATE TABLE contracts (
    repository_id BIGINT  NOT NULL,
    number        BIGINT  NOT NULL,
    contract      TEXT    NOT NULL,
    digest        TEXT    NOT NULL,
    seen_at       BIGINT  NOT NULL,
    PRIMARY KEY (repository_id, number)
);

-- Since when a commit was the head of a pull request, by GitHub's clock. A commit that was the head
-- twice has two rows.
CREATE TABLE heads (
    id            INTEGER PRIMARY KEY,
    repository_id BIGINT  NOT NULL,
    number        BIGINT  NOT NULL,
    sha           TEXT    NOT NULL,
    since         BIGINT  NOT NULL
);
CREATE INDEX heads_number ON heads (repository_id, number, since);

-- Presses of buttons, each by the id of its delivery. digest is that of the contract that the pressed
-- check run showed.
CREATE TABLE presses (
    guid          TEXT    NOT NULL PRIMARY KEY,
    repository_id BIGINT  NOT NULL,
    number        BIGINT  NOT NULL,
    button        TEXT    NOT NULL,
    login         TEXT    NOT NULL,
    type          TEXT    NOT NULL,
    head_sha      TEXT    NOT NULL,
    digest        TEXT    NOT NULL,
    pressed_at    BIGINT  NOT NULL,
    outcome       TEXT    NOT NULL DEFAULT '' CHECK (outcome IN ('', 'done', 'refused')),
    handled_at    BIGINT,
    replied_at    BIGINT
);
CREATE INDEX presses_number ON presses (repository_id, number);
CREATE INDEX presses_handled_at ON presses (handled_at) WHERE handled_at IS NOT NULL;

-- Who was asked for an approval of which head, in which step.
CREATE TABLE asks (
    repository_id BIGINT  NOT NULL,
    number        BIGINT  NOT NULL,
    head_sha      TEXT    NOT NULL,
    step          TEXT    NOT NULL CHECK (step IN ('review', 'person')),
    via           TEXT    NOT NULL,
    whom          TEXT    NOT NULL,
    at            BIGINT  NOT NULL,
    PRIMARY KEY (repository_id, number, head_sha, step)
);

-- When a target is looked at again without an event.
CREATE TABLE wakes (
    target_id BIGINT NOT NULL PRIMARY KEY REFERENCES targets (id) ON DELETE CASCADE,
    at        BIGINT NOT NULL
);
CREATE INDEX wakes_at ON wakes (at);

-- More kinds of actions, and the press that an action came from.
CREATE TABLE actions_of_people (
    id               INTEGER PRIMARY KEY,
    repository_id    BIGINT  NOT NULL,
    thread           BIGINT  NOT NULL,
    kind             TEXT    NOT NULL CHECK (kind IN ('accept_loss', 'triage', 'approve', 'accept_contract', 'confirm_contract', 'needs_human', 'override')),
    via              TEXT    NOT NULL,
    command_id       BIGINT  NOT NULL,
    press            TEXT    NOT NULL,
    comment_id       BIGINT  NOT NULL,
    check_id         TEXT    NOT NULL,
    attempt          BIGINT  NOT NULL,
    digest           TEXT    NOT NULL,
    reason           TEXT    NOT NULL,
    head_sha         TEXT    NOT NULL,
    actor            TEXT    NOT NULL,
    actor_type       TEXT    NOT NULL,
    actor_permission TEXT    NOT NULL,
    actor_teams      TEXT    NOT NULL,
    at               BIGINT  NOT NULL,
    UNIQUE (repository_id, command_id, press, kind, comment_id, check_id, attempt, digest)
);
INSERT INTO actions_of_people (id, repository_id, thread, kind, via, command_id, press, comment_id, check_id, attempt, digest, reason, head_sha,
    actor, actor_type, actor_permission, actor_teams, at)
SELECT id, repository_id, thread, kind, via, command_id, '', comment_id, check_id, attempt, digest, reason, head_sha,
    actor, actor_type, actor_permission, actor_teams, at FROM actions;
DROP TABLE actions;
ALTER TABLE actions_of_people RENAME TO actions;
CREATE INDEX actions_thread ON actions (repository_id, thread);

-- +goose Down
DELETE FROM actions WHERE kind NOT IN ('accept_loss', 'triage');
DROP TABLE wakes;
DROP TABLE asks;
DROP TABLE presses;
DROP TABLE heads;
DROP TABLE contracts;
ALTER TABLE targets DROP COLUMN judged_issue;
