/**
 * The evaluations of the relevance desk: each measures two profiles over all judged queries, in a thread. One runs at a
 * time. A result is valid for the judgements with which it was made.
 */
import { BoundedCache, messageOf, UsageError, WorkerChannel } from '../../base/mod.ts';
import { type METRICS, type Measures, meanOf, profileDigest } from '../../scoring/mod.ts';
import type { DeskEvaluation, DeskResult } from '../../serve/mod.ts';
import type { Config } from '../settings/mod.ts';
import type { Judged } from './judged-run.ts';
import { judgedDigest } from './publish-profile.ts';
import type { MeasuredPair, ProfilePair, RelevanceReply, RelevanceRequest } from './relevance-thread.ts';

const THREAD = new URL('./relevance-thread.ts', import.meta.url);
const MAX_KEPT = 20;
/** Number of queries that an evaluation lists because they change most. */
const MAX_CHANGED = 10;
/** The measures that the desk shows, the most telling first. */
const SHOWN = [
  'nDCG@10',
  'success@1',
  'success@3',
  'MRR',
  'MAP',
] as const satisfies (typeof METRICS)[number][];
const LEAST_CHANGE = 1e-6;

type Channel = WorkerChannel<RelevanceRequest, RelevanceReply, 'query'>;

type State =
  | { kind: 'running'; done: number; total: number }
  | { kind: 'failed'; problem: string }
  | { kind: 'done'; measured: MeasuredPair };

export class Evaluations {
  readonly #configOf: () => Config;
  readonly #states = BoundedCache.ofEntries<string, State>(MAX_KEPT);
  readonly #channels = new Set<Channel>();
  #running: Promise<void> | null = null;
  #searching: Promise<unknown> = Promise.resolve();

  /** `configOf` returns the present configuration. */
  constructor(configOf: () => Config) {
    this.#configOf = configOf;
  }

  start(profiles: ProfilePair, judged: Judged): void {
    if (this.#running !== null)
      throw new UsageError('busy', 'Another evaluation is running; wait until it has ended.');
    if (judged.topics.length === 0) throw new UsageError('no-judgements', 'No query is judged yet.');
    const key = keyOf(profiles, judged);
    const state = { kind: 'running' as const, done: 0, total: 2 * judged.topics.length };
    this.#states.set(key, state);
    const request = { kind: 'evaluate' as const, config: this.#configOf(), profiles, judged };
    this.#running = this.#ask<MeasuredPair>(request, () => state.done++)
      .then((measured) => void this.#states.set(key, { kind: 'done', measured }))
      .catch((error: unknown) => void this.#states.set(key, { kind: 'failed', problem: messageOf(error) }))
      .finally(() => {
        this.#running = null;
      });
  }

  /** Returns the measures of an evaluation that has ended; null if there is none for these judgements. */
  measuredBy(profiles: ProfilePair, judged: Judged): MeasuredPair | null {
    const state = this.#states.get(keyOf(profiles, judged));
    return state?.kind === 'done' ? state.measured : null;
  }

  describe(profiles: ProfilePair, judged: Judged): DeskEvaluation {
    const state = this.#states.get(keyOf(profiles, judged));
    if (!state) return { kind: 'none' };
    return state.kind === 'done' ? describeMeasured(state.measured, judged) : state;
  }

  /** Searches with both profiles, after earlier searches. */
  search(profiles: ProfilePair, query: string): Promise<[DeskResult[], DeskResult[]]> {
    const request = { kind: 'search' as const, config: this.#configOf(), profiles, query };
    const next = this.#searching.then(() => this.#ask<[DeskResult[], DeskResult[]]>(request));
    this.#searching = next.catch(() => {});
    return next;
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#channels, (channel) => channel.close()));
    await this.#running;
  }

  async #ask<Reply>(request: RelevanceRequest, onQuery: () => void = () => {}): Promise<Reply> {
    const channel: Channel = new WorkerChannel(THREAD, { onEvent: onQuery });
    this.#channels.add(channel);
    try {
      return (await channel.ask(request)) as Reply;
    } finally {
      await channel.close();
      this.#channels.delete(channel);
    }
  }
}

function keyOf(profiles: ProfilePair, judged: Judged): string {
  return [...profiles.map(profileDigest), judgedDigest(judged)].join(' ');
}

function describeMeasured({ queries, compared }: MeasuredPair, { topics }: Judged): DeskEvaluation {
  const [first, second] = queries;
  const [firstMean, secondMean] = [meanOf(first), meanOf(second)];
  const nDCG = (measures: Measures[], at: number) => measures[at]!['nDCG@10'];
  const changed = topics
    .map(({ text }, at) => ({ query: text, first: nDCG(first, at), second: nDCG(second, at) }))
    .filter(({ first: before, second: after }) => Math.abs(after - before) > LEAST_CHANGE)
    .sort((a, b) => Math.abs(b.second - b.first) - Math.abs(a.second - a.first));
  return {
    kind: 'done',
    queries: topics.length,
    measures: SHOWN.map((name) => ({
      name,
      first: firstMean[name],
      second: secondMean[name],
      p: compared[name].p,
    })),
    changed: changed.slice(0, MAX_CHANGED),
  };
}
