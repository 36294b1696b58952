/**
 * The front queues: the order in which hosts on disk enter the working set.
 *
 *   front 3   hosts with links from many others        half of the choices
 *   front 2                                            a quarter
 *   front 1                                            an eighth
 *   front 0   hosts with links from hardly any other   an eighth
 *
 * These are Mercator's front queues, with hosts in place of URLs: the choice is biased towards the important
 * hosts and never starves the others. Each queue is an index of the state; memory holds only the position up
 * to which it has been read.
 *
 * Within a queue the scan is a round robin with reset. It reads the hosts in order of discovery up to
 * position 5,000 and starts again at the first host; then up to 10,000, and starts again; then up to 15,000,
 * and so on to the end. Each pass gives the oldest hosts another turn before it reaches further than the pass
 * before it: depth where the crawl began, and breadth in steps. Hosts that are in memory or have no URLs left
 * are skipped, so the cost of a scan is proportional to the hosts it finds. A restart begins at the first
 * host.
 */
import { type CrawlState, FRONTS, type HostRow } from '../state/mod.ts';

const RESET_STEP = 5_000;
/**
 * Order in which the front queues are used: entry n is the queue of the n-th choice. If that queue is empty, the next
 * lower non-empty queue is used, then the higher ones.
 */
const CHOICES = [3, 2, 3, 1, 3, 2, 3, 0];

interface Walk {
  /** The origin of the host that was read last; empty at the start of a pass. */
  after: string;
  position: number;
  resetAt: number;
  /** Number of hosts found in this pass that were not in the frontier's memory. */
  strangers: number;
  /**
   * True if the last pass reached the end of the queue and all hosts that it found were in the frontier's
   * memory.
   */
  isEmpty: boolean;
}

export class FrontQueues {
  readonly #state: CrawlState;
  readonly #resetStep: number;
  readonly #walks: Walk[];
  #choices = 0;

  constructor(state: CrawlState, resetStep = RESET_STEP) {
    this.#state = state;
    this.#resetStep = resetStep;
    this.#walks = Array.from({ length: FRONTS }, () => ({ ...this.#start(), isEmpty: false }));
  }

  /** True if every host that has work is in the frontier's memory. */
  get isEmpty(): boolean {
    return this.#walks.every((walk) => walk.isEmpty);
  }

  /** Reports that a host that is only on disk has work, so that the queues are scanned again. */
  mayHaveWork(): void {
    for (const walk of this.#walks) walk.isEmpty = false;
  }

  /**
   * Returns the next hosts of one front queue, without hosts in memory. The result may be empty although more hosts
   * wait on disk.
   */
  async next(limit: number, isInMemory: (origin: string) => boolean): Promise<HostRow[]> {
    const front = this.#choose();
    if (front === undefined) return [];
    const walk = this.#walks[front]!;
    const wanted = Math.min(limit, walk.resetAt - walk.position);
    const rows = await this.#state.frontHosts(front, walk.after, wanted);
    const strangers = rows.filter(({ origin }) => !isInMemory(origin));
    walk.strangers += strangers.length;
    walk.position += rows.length;
    walk.after = rows.at(-1)?.origin ?? walk.after;
    if (rows.length < wanted) {
      walk.isEmpty = walk.strangers === 0;
      Object.assign(walk, this.#start());
    } else if (walk.position === walk.resetAt) {
      Object.assign(walk, this.#start(), { resetAt: walk.resetAt + this.#resetStep });
    }
    return strangers;
  }

  #choose(): number | undefined {
    const favourite = CHOICES[this.#choices++ % CHOICES.length]!;
    for (let step = 0; step < FRONTS; step++) {
      const front = (favourite - step + FRONTS) % FRONTS;
      if (!this.#walks[front]!.isEmpty) return front;
    }
    return undefined;
  }

  #start(): Omit<Walk, 'isEmpty'> {
    return { after: '', position: 0, resetAt: this.#resetStep, strangers: 0 };
  }
}
