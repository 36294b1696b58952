/**
 * WorkBudget limits the work that one input may cause, whatever its size is.
 *
 * A limit on depth or on length does not bound work: a form of a PDF that draws the next form 20 times, six
 * deep, is 7 KB long and draws 64 million forms. Every parser of untrusted input therefore receives a budget
 * and spends it:
 *
 *   step    a unit of work: a token, an operator, an entry of a table. About 100 to 200 ns.
 *   keep    a piece that stays in memory: an object, a piece of text, a link
 *   decode  bytes that came out of a decompressor or a decryptor, or were copied. Work that fails is paid for as well.
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

  /** The remaining amounts. When `pieces` or `bytes` is used up, `steps` becomes negative as well. */
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
