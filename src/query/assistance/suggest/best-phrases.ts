/**
 * Finds the phrases with the greatest weights in a range, without reading the whole range. The maximum weight of
 * each block of 64 phrases is stored, and a block is skipped if its maximum is too small. For "a" in a million
 * phrases, this reads about a thousand maxima and a few dozen blocks.
 */
const BLOCK = 64;

export interface Found {
  at: number;
  weight: number;
}

export class BestPhrases {
  readonly #weights: Float32Array;
  readonly #maxima: Float32Array;

  constructor(weights: Float32Array) {
    this.#weights = weights;
    this.#maxima = new Float32Array(Math.ceil(weights.length / BLOCK));
    for (let at = 0; at < weights.length; at++) {
      const block = Math.floor(at / BLOCK);
      if (weights[at]! > this.#maxima[block]!) this.#maxima[block] = weights[at]!;
    }
  }

  /**
   * Adds the phrases with the greatest weights in [low, high) to `found`, which has at most `limit` phrases by
   * descending weight.
   */
  collect(low: number, high: number, limit: number, found: Found[]): void {
    for (let at = low; at < high; ) {
      const blockEnd = Math.min(high, at - (at % BLOCK) + BLOCK);
      const least = found.length < limit ? Number.NEGATIVE_INFINITY : found[limit - 1]!.weight;
      if (this.#maxima[Math.floor(at / BLOCK)]! > least) this.#collectBlock(at, blockEnd, limit, found);
      at = blockEnd;
    }
  }

  #collectBlock(low: number, high: number, limit: number, found: Found[]): void {
    for (let at = low; at < high; at++) {
      const weight = this.#weights[at]!;
      if (found.length === limit && weight <= found[limit - 1]!.weight) continue;
      let place = found.length;
      while (place > 0 && found[place - 1]!.weight < weight) place--;
      found.splice(place, 0, { at, weight });
      if (found.length > limit) found.pop();
    }
  }
}
