/**
 * The front queues: in which order hosts that wait on disk come into the working set.
 *
 *   front 3   hosts to which many others lead          half of the choices
 *   front 2                                            a quarter
 *   front 1                                            an eighth
 *   front 0   hosts to which hardly any other leads    an eighth
 *
 * They are Mercator's front queues, with hosts in place of URLs: the choice is biased toward the important
 * ones and never forgets the others. Each queue is an index of the state; nothing of it is in memory but
 * the place up to which it has been walked.
 *
 * Within a queue the walk is a round robin with reset. It goes through the hosts in the order of their
 * discovery up to position 5,000 and starts again at the first host; then up to 10,000, and again; then up
 * to 15,000, and so on to the end. A new pass gives the hosts that are known longest another turn before it
 * goes further out than the last one did: depth where the crawl began, and breadth in steps. Hosts that
 * are in memory or have nothing left are passed over, so a walk costs what it finds. A restart begins at the
 * first host.
 */
import type { CrawlState, HostId, HostRow } from './crawl-state.ts';

const FRONTS = 4;
const RESET_STEP = 5_000;
/** The front queue of each choice in turn; an empty one hands its turn to the next below, then above. */
const CHOICES = [3, 2, 3, 1, 3, 2, 3, 0];

/** The front queue of a host to which others have led so often. */
export function frontOf(links: number): number {
  return Math.min(FRONTS - 1, Math.floor(Math.log2(1 + links) / 2));
}

interface Walk {
  after: HostId;
  position: number;
  resetAt: number;
  /** Hosts that were not in memory, in this pass. */
  strangers: number;
  /** The last pass came to the end of the queue and met no stranger. */
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

  /** Whether no host waits on disk that is not in memory. */
  get isEmpty(): boolean {
    return this.#walks.every((walk) => walk.isEmpty);
  }

  /** A host that is not in memory has work. */
  gained(): void {
    for (const walk of this.#walks) walk.isEmpty = false;
  }

  /** The next hosts of one queue, without those in memory; perhaps none, though others wait. */
  async next(limit: number, isInMemory: (origin: string) => boolean): Promise<HostRow[]> {
    const front = this.#choose();
    if (front === undefined) return [];
    const walk = this.#walks[front]!;
    const wanted = Math.min(limit, walk.resetAt - walk.position);
    const rows = await this.#state.frontHosts(front, walk.after, wanted);
    const strangers = rows.filter(({ origin }) => !isInMemory(origin));
    walk.strangers += strangers.length;
    walk.position += rows.length;
    walk.after = rows.at(-1)?.id ?? walk.after;
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
    return { after: 0, position: 0, resetAt: this.#resetStep, strangers: 0 };
  }
}
