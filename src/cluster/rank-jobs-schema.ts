/**
 * The tables of rankings that several nodes compute together (graph/parts/rank-job.ts).
 *
 *   rank_jobs    a ranking: its writers, its number of parts, its present phase, and from version 6 the position in the
 *                journal that it covers and the number of records up to there
 *   rank_tasks   the tasks of all its phases; a task without a result is free if it has no owner, or if the lease of its
 *                owner in `nodes` has expired
 */
export const RANK_JOBS_SCHEMA = `
  create table gyre.rank_jobs (
    name text primary key,
    generation integer not null unique,
    writers text[] not null,
    parts integer not null check (parts > 0),
    phase integer not null,
    is_finished boolean not null default false
  );
  create table gyre.rank_tasks (
    job text not null references gyre.rank_jobs on delete cascade,
    phase integer not null,
    name text not null,
    task integer not null,
    owner text,
    epoch integer not null default 0,
    result jsonb,
    primary key (job, phase, task)
  );
`;

export const RANKED_JOURNAL_SCHEMA = `
  alter table gyre.rank_jobs
    add column journal jsonb not null default '{}',
    add column records bigint not null default 0;
  alter table gyre.shards add column ranking text;
`;
