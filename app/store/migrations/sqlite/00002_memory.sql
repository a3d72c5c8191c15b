-- What the service has seen and was told, which GitHub may no longer show. Everything here hangs on a
-- repository's id, which stays when the repository is renamed or moved. A thread is the number of the
-- issue or pull request that a comment stands on.

-- +goose Up

-- How a pull request's report was published last: whether its repository was enrolled (empty: never
-- judged), and by which name and mode of its policy.
ALTER TABLE targets ADD COLUMN enrolment TEXT NOT NULL DEFAULT '' CHECK (enrolment IN ('', 'in', 'out'));
ALTER TABLE targets ADD COLUMN check_name TEXT NOT NULL DEFAULT '';
ALTER TABLE targets ADD COLUMN mode TEXT NOT NULL DEFAULT '';

-- Texts of comments that hold attempt history, each text of a comment once. They are private. A text
-- whose history a later one of the comment contains is dropped, and one that had no room is not kept;
-- of both the digest stays.
CREATE TABLE carriers (
    id            INTEGER PRIMARY KEY,
    repository_id BIGINT  NOT NULL,
    thread        BIGINT  NOT NULL,
    comment_id    BIGINT  NOT NULL,
    digest        TEXT    NOT NULL,
    check_id      TEXT    NOT NULL,
    state         TEXT    NOT NULL CHECK (state IN ('kept', 'contained', 'no_room')),
    body          BLOB    NOT NULL,
    author        TEXT    NOT NULL,
    trusted       BIGINT  NOT NULL,
    seen_at       BIGINT  NOT NULL,
    UNIQUE (repository_id, comment_id, digest)
);
CREATE INDEX carriers_thread ON carriers (repository_id, thread);

-- What maintainers did: who, when, by which command, about which comment.
CREATE TABLE actions (
    id               INTEGER PRIMARY KEY,
    repository_id    BIGINT  NOT NULL,
    thread           BIGINT  NOT NULL,
    kind             TEXT    NOT NULL CHECK (kind IN ('accept_loss', 'triage')),
    via              TEXT    NOT NULL,
    command_id       BIGINT  NOT NULL,
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
    UNIQUE (repository_id, command_id, kind, comment_id, check_id, attempt, digest)
);
CREATE INDEX actions_thread ON actions (repository_id, thread);

-- Comments whose slash commands were handled. A comment is handled once; digest is that of its text
-- then, so that a later edit is noticed, and replied says when the service last answered it in words.
CREATE TABLE commands (
    repository_id BIGINT NOT NULL,
    comment_id    BIGINT NOT NULL,
    thread        BIGINT NOT NULL,
    author        TEXT   NOT NULL,
    outcome       TEXT   NOT NULL CHECK (outcome IN ('done', 'refused', 'ignored')),
    digest        TEXT   NOT NULL,
    handled_at    BIGINT NOT NULL,
    replied_at    BIGINT,
    PRIMARY KEY (repository_id, comment_id)
);
CREATE INDEX commands_thread ON commands (repository_id, thread);

-- +goose Down
DROP TABLE commands;
DROP TABLE actions;
DROP TABLE carriers;
ALTER TABLE targets DROP COLUMN mode;
ALTER TABLE targets DROP COLUMN check_name;
ALTER TABLE targets DROP COLUMN enrolment;
