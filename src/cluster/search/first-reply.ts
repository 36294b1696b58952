/**
 * Sends a request to replicas until one replies. A second replica is asked if the first one fails, or if it has
 * not replied after the time in which 95 of 100 recent requests were answered (a hedged request; Dean and
 * Barroso, "The Tail at Scale", 2013).
 *
 * Hedged requests are at most a tenth of all requests, so that they do not add load when all replicas are slow. This
 * limit does not apply to a replica whose node is silent: it has sent nothing at all for SILENT_MS, so it was probably
 * stopped or cut off.
 */
const SAMPLES = 128;
/** The number of replies from which on the measured times are used. */
const MIN_SAMPLES = 20;
const FIRST_HEDGE_MS = 100;
/** Requests are not hedged sooner: a short delay says nothing about the replica. */
const MIN_HEDGE_MS = 5;
const QUANTILE = 0.95;
const HEDGES_PER_REQUEST = 0.1;
const MAX_SAVED_HEDGES = 10;
/** A node that sends no reply for this long, although requests to it are in flight, is silent. */
export const SILENT_MS = 300;
const SILENCE_POLL_MS = 100;

/** The times of recent replies, and the requests that may still be hedged. */
export class ReplyTimes {
  readonly #times = new Float64Array(SAMPLES);
  #count = 0;
  #hedges = MAX_SAVED_HEDGES;

  /** Counts a request; returns the time after which it is hedged. */
  hedgeMs(): number {
    this.#hedges = Math.min(MAX_SAVED_HEDGES, this.#hedges + HEDGES_PER_REQUEST);
    if (this.#count < MIN_SAMPLES) return FIRST_HEDGE_MS;
    const times = this.#times.slice(0, Math.min(this.#count, SAMPLES)).sort();
    return Math.max(MIN_HEDGE_MS, times[Math.floor(QUANTILE * times.length)]!);
  }

  /** Returns true if a request may be hedged now, and counts it as hedged. */
  takeHedge(): boolean {
    if (this.#hedges < 1) return false;
    this.#hedges--;
    return true;
  }

  add(ms: number): void {
    this.#times[this.#count++ % SAMPLES] = ms;
  }
}

/**
 * Returns the first reply of a replica. The replicas are asked in the given order. If `isOfReplica` returns
 * true for an error, the next replica is asked at once; other errors are thrown. If all replicas fail, throws
 * the error of the first one. `replicas` must not be empty. `isSilent` is true for a replica whose node is silent.
 */
export function firstReply<Replica, Reply>(
  replicas: readonly Replica[],
  ask: (replica: Replica) => Promise<Reply>,
  times: ReplyTimes,
  isOfReplica: (error: unknown) => boolean,
  isSilent: (replica: Replica) => boolean = () => false,
): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const left = [...replicas];
  const errors: unknown[] = [];
  let asked = replicas[0]!;
  const fail = (error: unknown) => {
    errors.push(error);
    if (!isOfReplica(error)) reject(error);
    else if (left.length > 0) askNext();
    else if (errors.length === replicas.length) reject(errors[0]);
  };
  const askNext = () => {
    const startMs = performance.now();
    asked = left.shift()!;
    ask(asked).then((reply) => {
      times.add(performance.now() - startMs);
      resolve(reply);
    }, fail);
  };
  const afterSilence = () => {
    if (left.length === 0) return;
    if (isSilent(asked)) askNext();
    timer = setTimeout(afterSilence, SILENCE_POLL_MS);
  };
  let timer = setTimeout(() => {
    if (left.length > 0 && times.takeHedge()) askNext();
    else afterSilence();
  }, times.hedgeMs());
  askNext();
  return promise.finally(() => {
    left.length = 0;
    clearTimeout(timer);
  });
}
