/**
 * The board of a ranking in PostgreSQL. A task uses the lease of its owner in the table `nodes`, as vnodes do, so a node
 * renews one row however many tasks it has.
 *
 * The tasks of a phase are planned like vnodes (vnode-assignment.ts): a node keeps its parts from phase to
 * phase, so they are still in its memory. Parts move only when a phase begins: the parts of a node that died,
 * and a part for a node that joined. Within a phase, any live node takes the tasks of a dead one.
 *
 * Fencing: taking a task increments its epoch, and a result is stored only for the present owner and epoch.
 * Each of the two is one statement on one row. The phase advances in a transaction that locks the row of the
 * job.
 */
import { GyreError, sleep } from '../../base/mod.ts';
import {
  FIRST_PHASE,
  type FinishedTask,
  type NextTask,
  type RankBoard,
  type RankJob,
  type RankTaskResult,
  type TakenTask,
  taskCountOf,
} from '../../graph/mod.ts';
import type { JournalPosition } from '../../journal/mod.ts';
import type { ClusterDatabase, Transaction } from '../database.ts';
import { inTransaction } from '../transaction.ts';
import { assignVnodes, type WeightedNode } from '../vnode-assignment.ts';

/** The role of the nodes that compute rankings. */
export const RANK_ROLE = 'rank';
/** A waiting node looks at the board again after these times in milliseconds; the time doubles until it has a task. */
const FIRST_POLL_MS = 5;
const LAST_POLL_MS = 320;

interface NewRankJob {
  /** The writers of the journal. */
  writers: readonly string[];
  parts: number;
  /** The position in the journal that the ranking covers at least, and the number of records up to there. */
  journal: JournalPosition;
  records: number;
}

/**
 * Creates the next ranking and returns its name. Its tasks are planned for the live nodes with the role `rank`. The
 * caller has locked the table `rank_jobs`, or no other node creates rankings.
 */
export async function createRankJob(tx: Transaction, options: NewRankJob): Promise<string> {
  const { writers, parts, journal, records } = options;
  const [last] = await tx<{ generation: number }[]>`
    select coalesce(max(generation), 0) as generation from gyre.rank_jobs`;
  const generation = last!.generation + 1;
  const name = `ranks-${String(generation).padStart(8, '0')}`;
  await tx`insert into gyre.rank_jobs (name, generation, writers, parts, phase, journal, records)
    values (${name}, ${generation}, ${[...writers]}, ${parts}, -1, ${tx.json(journal)}, ${records})`;
  const job = { name, generation, writers, parts };
  await beginPhase(tx, name, -1, FIRST_PHASE, taskCountOf(FIRST_PHASE, job));
  return name;
}

/** Returns the name of the newest ranking in the given state; null if there is none. */
export async function newestRankJob(sql: ClusterDatabase, isFinished: boolean): Promise<string | null> {
  const [row] = await sql<{ name: string }[]>`select name from gyre.rank_jobs
    where is_finished = ${isFinished} order by generation desc limit 1`;
  return row?.name ?? null;
}

/** Opens the board of a ranking for one node. The caller renews the membership of the node. */
export async function openRankBoard(sql: ClusterDatabase, name: string, node: string): Promise<RankBoard> {
  const [job] = await sql<
    RankJob[]
  >`select name, generation, writers, parts from gyre.rank_jobs where name = ${name}`;
  if (!job) throw new GyreError('no-rank-job', `PostgreSQL has no ranking ${name}`);
  return new PostgresRankBoard(sql, job, node);
}

class PostgresRankBoard implements RankBoard {
  readonly job: RankJob;
  readonly #sql: ClusterDatabase;
  readonly #node: string;
  #pollMs = FIRST_POLL_MS;

  constructor(sql: ClusterDatabase, job: RankJob, node: string) {
    this.job = job;
    this.#sql = sql;
    this.#node = node;
  }

  async next(): Promise<NextTask> {
    const [taken] = await this.#take();
    if (taken) this.#pollMs = FIRST_POLL_MS;
    if (taken) return { kind: 'task', task: taken };
    const [phase] = await this.#sql<
      { phase: number; name: string; isComplete: boolean; isFinished: boolean }[]
    >`
      select j.phase, min(t.name) as name, bool_and(t.result is not null) as "isComplete",
        j.is_finished as "isFinished"
      from gyre.rank_jobs j join gyre.rank_tasks t on t.job = j.name and t.phase = j.phase
      where j.name = ${this.job.name} group by j.phase, j.is_finished`;
    if (!phase || phase.isFinished) return { kind: 'finished' };
    return phase.isComplete ? { kind: 'complete', phase: phase.phase, name: phase.name } : { kind: 'wait' };
  }

  async finish(task: TakenTask, result: RankTaskResult): Promise<void> {
    const stored = await this.#sql`update gyre.rank_tasks set result = ${this.#sql.json(result)}
      where ${this.#isHeld(task)} returning 1`;
    if (stored.length === 1) return;
    const { name, task: number, epoch } = task;
    throw new GyreError(
      'stale-epoch',
      `${this.#node} no longer has task ${number} of ${name} (epoch ${epoch}) of ${this.job.name}: the result was refused`,
    );
  }

  async holds(task: TakenTask): Promise<boolean> {
    const held = await this.#sql`select 1 from gyre.rank_tasks where ${this.#isHeld(task)}`;
    return held.length === 1;
  }

  async resultsOf(name: string): Promise<FinishedTask[]> {
    const rows = await this.#sql<FinishedTask[]>`select epoch, result from gyre.rank_tasks
      where job = ${this.job.name} and name = ${name} order by task`;
    return [...rows];
  }

  async stepCount(): Promise<number> {
    const [row] = await this.#sql<{ steps: number }[]>`select count(distinct phase)::int as steps
      from gyre.rank_tasks where job = ${this.job.name} and name like 'step-%'`;
    return row!.steps;
  }

  async begin(phase: number, name: string, taskCount: number): Promise<void> {
    await inTransaction(this.#sql, (tx) => beginPhase(tx, this.job.name, phase, name, taskCount));
  }

  async end(phase: number): Promise<void> {
    await this.#sql`update gyre.rank_jobs set is_finished = true
      where name = ${this.job.name} and phase = ${phase}`;
  }

  async changed(): Promise<void> {
    await sleep(this.#pollMs);
    this.#pollMs = Math.min(LAST_POLL_MS, 2 * this.#pollMs);
  }

  /**
   * Takes a task that is planned for this node, or whose owner is dead. A node whose lease has expired takes no
   * task.
   */
  async #take(): Promise<TakenTask[]> {
    return await this.#sql<TakenTask[]>`
      with free as (
        select t.job, t.phase, t.task from gyre.rank_tasks t
        join gyre.rank_jobs j on j.name = t.job and j.phase = t.phase
        where t.job = ${this.job.name} and t.result is null
          and (t.owner = ${this.#node} or not exists (
            select from gyre.nodes n where n.node = t.owner and n.lease_until > clock_timestamp()))
          and exists (select from gyre.nodes n where n.node = ${this.#node} and n.lease_until > clock_timestamp())
        order by t.owner is distinct from ${this.#node}, t.task limit 1 for update of t skip locked
      )
      update gyre.rank_tasks t set owner = ${this.#node}, epoch = epoch + 1 from free
      where t.job = free.job and t.phase = free.phase and t.task = free.task
      returning t.phase, t.name, t.task, t.epoch`;
  }

  #isHeld({ phase, task, epoch }: TakenTask) {
    return this.#sql`job = ${this.job.name} and phase = ${phase} and task = ${task}
      and owner = ${this.#node} and epoch = ${epoch} and result is null`;
  }
}

/** Begins the phase after `phase`, if the job is still in `phase`, and plans its tasks. */
async function beginPhase(
  tx: Transaction,
  job: string,
  phase: number,
  name: string,
  taskCount: number,
): Promise<void> {
  const advanced = await tx`update gyre.rank_jobs set phase = ${phase + 1}
    where name = ${job} and phase = ${phase} returning 1`;
  if (advanced.length === 0) return;
  const nodes = await tx<WeightedNode[]>`select node, weight from gyre.nodes
    where ${RANK_ROLE} = any(roles) and lease_until > clock_timestamp() order by node`;
  const last = await tx<{ owner: string | null }[]>`select owner from gyre.rank_tasks
    where job = ${job} and phase = ${phase} order by task`;
  const current = Array.from({ length: taskCount }, (_, task) => last[task]?.owner ?? null);
  const owners = assignVnodes(current, nodes);
  await tx`insert into gyre.rank_tasks (job, phase, name, task, owner)
    select ${job}, ${phase + 1}, ${name}, task - 1, owner
    from unnest(${owners}::text[]) with ordinality as plan (owner, task)`;
}
