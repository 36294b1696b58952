/**
 * Tells waiting readers that there is something new in the change feed. It looks once a second for all of them, and only
 * while a reader waits.
 */
import { setTimeout as timeout } from 'node:timers/promises';
import { type Log, messageOf } from '../../base/mod.ts';
import type { ChangeFeed } from './change-feed.ts';

const LOOK_MS = 1_000;

export class FeedWatch {
  readonly #feed: Pick<ChangeFeed, 'tip'>;
  readonly #log: Log;
  /** The readers that wait, with the end of the feed that they know. */
  readonly #waiting = new Map<() => void, string>();
  #timer: NodeJS.Timeout | null = null;
  #isLooking = false;

  constructor(feed: Pick<ChangeFeed, 'tip'>, log: Log) {
    this.#feed = feed;
    this.#log = log;
  }

  /** Resolves when the end of the feed is no longer `tip`, after `ms`, or when the signal is aborted. */
  async untilNew(tip: string, ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const ended = new AbortController();
    this.#waiting.set(resolve, tip);
    this.#timer ??= setInterval(() => void this.#look(), LOOK_MS);
    const ends = AbortSignal.any([signal, ended.signal]);
    try {
      await Promise.race([promise, timeout(ms, undefined, { signal: ends }).catch(() => {})]);
    } finally {
      ended.abort();
      this.#waiting.delete(resolve);
      if (this.#waiting.size === 0) this.#stop();
    }
  }

  #stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const tip = await this.#feed.tip();
      for (const [wake, known] of this.#waiting) if (known !== tip) wake();
    } catch (error) {
      this.#log.warn('change feed unreadable', { reason: messageOf(error) });
      for (const wake of this.#waiting.keys()) wake();
    } finally {
      this.#isLooking = false;
    }
  }
}
