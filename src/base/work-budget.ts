/**
 * WorkBudget limits the work that one input may cause, whatever its size is.
 *
 * Limits on nesting depth or length are not enough. In a PDF of 7 KB, each of six nested forms can draw the
 * next form 20 times, which makes 64 million draws. Every parser of untrusted input therefore receives a budget
 * and spends it:
 *
 *   step    one token, operator or table entry; takes about 100 to 200 ns
 *   keep    one object, text or link that stays in memory
 *     decode  bytes that were decompressed, decrypted or copied, even if this failed
 *
 * Each method returns whether the work may continue. When one of the three amounts is spent, the whole budget
 * is spent and all methods return false from then on, so every loop that checks the budget ends soon. The
 * parser keeps its results so far and reports `isSpent`.
 */
interface WorkLimits {
  steps: number;
  pieces: number;
  bytes: number;
}

export class WorkBudget {
  #steps: number;
  #pieces: number;
  #bytes: number;

  constructor({ steps, pieces, bytes }: WorkLimits) {
    this.#steps = steps;
    this.#pieces = pieces;
    this.#bytes = bytes;
  }

  get isSpent(): boolean {
    return this.#steps < 0;
  }

  /**
   * The remaining steps, pieces and bytes. When the pieces or the bytes are used up, `steps` becomes negative
   * too.
   */
  get left(): WorkLimits {
    return { steps: this.#steps, pieces: this.#pieces, bytes: this.#bytes };
  }

  step(count = 1): boolean {
    this.#steps -= count;
    return this.#steps >= 0;
  }

  keep(count = 1): boolean {
    this.#pieces -= count;
    if (this.#pieces < 0) this.#steps = -1;
    return this.#steps >= 0;
  }

  decode(bytes: number): boolean {
    this.#bytes -= bytes;
    if (this.#bytes < 0) this.#steps = -1;
    return this.#steps >= 0;
  }
}
