/**
 * Shows how far a command is on its progress line, for example `indexing 24 %: 1200 pages (340/s), 12 s left`. The rate
 * and the time left follow from the last WINDOW_MS. The time is shown after a second, when there is a rate to use.
 */
import { type Clock, formatDuration, systemClock } from '../../base/mod.ts';
import { counted, ProgressLine } from '../output.ts';

export interface Work {
  /** The present step, such as `indexing`. A change of step restarts the measurement. */
  doing: string;
  /** The number of items that are done. */
  count?: number;
  /** Renders a count; by default a number of pages. */
  format?: (count: number) => string;
  /** The part of the work that is done, from 0 to 1; null if it is unknown. */
  share: number | null;
  /** Further facts, for the end of the line. */
  facts?: string;
}

interface Sample {
  at: number;
  count: number;
  share: number;
}

const WINDOW_MS = 10_000;
const LEAST_MS = 1_000;

export class WorkProgress {
  readonly #line: Pick<ProgressLine, 'show' | 'clear'>;
  readonly #clock: Pick<Clock, 'now'>;
  #doing = '';
  #samples: Sample[] = [];

  constructor(
    line: Pick<ProgressLine, 'show' | 'clear'> = new ProgressLine(),
    clock: Pick<Clock, 'now'> = systemClock,
  ) {
    this.#line = line;
    this.#clock = clock;
  }

  show({ doing, count, format = countedPages, share, facts }: Work): void {
    const at = this.#clock.now();
    if (doing !== this.#doing) this.#samples = [];
    this.#doing = doing;
    const sample = { at, count: count ?? 0, share: share ?? 0 };
    const from = this.#sampleBefore(sample);
    const seconds = (at - from.at) / 1000;
    const hasRate = seconds * 1000 >= LEAST_MS;
    const parts: string[] = [];
    if (count !== undefined) {
      const perSecond = Math.round((count - from.count) / seconds);
      const rate = hasRate ? ` (${format === countedPages ? perSecond : format(perSecond)}/s)` : '';
      parts.push(format(count) + rate);
    }
    const pace = sample.share - from.share;
    if (share !== null && hasRate && pace > 0)
      parts.push(`${formatDuration(((1 - share) / pace) * (at - from.at))} left`);
    if (facts !== undefined) parts.push(facts);
    const head = share === null ? doing : `${doing} ${Math.floor(Math.min(share, 1) * 100)} %`;
    this.#line.show(parts.length === 0 ? head : `${head}: ${parts.join(', ')}`);
  }

  clear(): void {
    this.#line.clear();
  }

  /** Returns the sample that is WINDOW_MS old, or the oldest one, and keeps the new one. */
  #sampleBefore(sample: Sample): Sample {
    const last = this.#samples.at(-1);
    if (!last || sample.at - last.at >= WINDOW_MS / 20) this.#samples.push(sample);
    const recent = this.#samples.findIndex(({ at }) => at >= sample.at - WINDOW_MS);
    if (recent > 0) this.#samples = this.#samples.slice(recent - 1);
    return this.#samples[0]!;
  }
}

function countedPages(count: number): string {
  return counted(count, 'page');
}
