/**
 * Counts refused requests, for the metrics and the log. A flood of refused requests must not become a flood of log
 * lines: the first refusal for a reason is logged at once, and all other refusals in the same minute are logged in
 * one line at the end of the minute.
 */
import type { Log } from '../../base/mod.ts';

const LOG_EVERY_MS = 60_000;

export class Refusals {
  /** The reason for refusals, for example `rate-limit`. It is also the label of the metric. */
  readonly reason: string;
  readonly #log: Log;
  #total = 0;
  #logged = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(reason: string, log: Log) {
    this.reason = reason;
    this.#log = log;
  }

  get total(): number {
    return this.#total;
  }

  /** Counts a refusal. `client` is the address of the client for the log line. */
  count(client: string): void {
    this.#total++;
    if (this.#timer !== null) return;
    this.#logNew(client);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#total > this.#logged) this.#logNew('several');
    }, LOG_EVERY_MS).unref();
  }

  #logNew(client: string): void {
    const requests = this.#total - this.#logged;
    this.#logged = this.#total;
    this.#log.warn('requests refused', { reason: this.reason, client, requests });
  }
}
