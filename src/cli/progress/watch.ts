/** Shows something again and again until Ctrl-C, for `gyre status --watch`. */
import { sleep, systemClock } from '../../base/mod.ts';
import { onInterrupt } from '../interrupts.ts';

const EVERY_MS = 2_000;

export async function watch(show: () => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const off = onInterrupt(() => stop.abort());
  try {
    while (!stop.signal.aborted) {
      await show();
      await sleep(EVERY_MS, stop.signal);
    }
  } finally {
    off();
  }
}

/** Clears a terminal. Elsewhere, what is shown next follows an empty line. */
export function clearScreen(): void {
  process.stdout.write(process.stdout.isTTY ? '\u001b[H\u001b[2J' : '\n');
}

/** Measures how many URLs are fetched per second, from one look at a crawl to the next. */
export class FetchRate {
  #last: { at: number; done: number } | null = null;

  /** Returns for example ` (12/s)`; empty at the first look. */
  measure(done: number, at = systemClock.now()): string {
    const last = this.#last;
    this.#last = { at, done };
    if (!last || at <= last.at) return '';
    return ` (${Math.round((Math.max(0, done - last.done) * 1000) / (at - last.at))}/s)`;
  }
}
