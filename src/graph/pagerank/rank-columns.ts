/**
 * Runs one step of PageRank on all threads. Threads take columns one by one from a shared counter. The thread
 * that takes a column finishes it, and the step is done when all columns are finished.
 *
 *   main thread:  scalars, next = 0, step + 1, wake ──► takes columns ──► waits for done = columns
 *   others:                            wait for step ──► take columns ──► wait for the next step
 *
 * A thread reads the scalars only after it has taken a column. The step of that column cannot end before this
 * thread has finished it, so the scalars cannot change in the meantime. A thread that starts late or never only
 * makes the step slower. Results are stored per column and summed in column order, so they do not depend on the
 * number of threads.
 */
import { GyreError } from '../../base/mod.ts';
import { RANGE_NODES } from '../tiles/mod.ts';
import { type RankKernel, type RankLayout, RESULT_NUMBERS } from './rank-memory.ts';

/** The indexes of the values in the `control` array of the shared memory. */
const Control = { step: 0, nextColumn: 1, doneColumns: 2, side: 3, stop: 4 } as const;
const Scalar = { damping: 0, mass: 1 } as const;
/**
 * The time in milliseconds after which a thread that has not finished its column is assumed to be dead.
 * Normally a column takes a few milliseconds.
 */
const PATIENCE_MS = 120_000;

export interface StepResult {
  /** The sum of the changes of all ranks. */
  distance: number;
  /** The sum of the ranks of all nodes with links. */
  handed: number;
  /** The sum of all ranks. */
  total: number;
}

/** A sequence of columns: from `first` up to `end`, numbered from the first column of the part. */
export interface Portion {
  first: number;
  end: number;
}

export class ColumnWorker {
  readonly #kernel: RankKernel;
  readonly #layout: RankLayout;
  readonly #sums: number;
  readonly #control: Int32Array;
  readonly #scalars: Float32Array;
  readonly #results: Float64Array;
  readonly #tiles: Uint32Array;
  readonly #starts: Uint32Array;

  /** `thread` is the number of the thread; 0 is the main thread. */
  constructor(kernel: RankKernel, memory: WebAssembly.Memory, layout: RankLayout, thread: number) {
    const { columns, blocks, weights } = layout;
    this.#kernel = kernel;
    this.#layout = layout;
    this.#sums = layout.sums + thread * RANGE_NODES * 4;
    this.#control = new Int32Array(memory.buffer, layout.control, Object.keys(Control).length);
    this.#scalars = new Float32Array(memory.buffer, layout.scalars, Object.keys(Scalar).length);
    this.#results = new Float64Array(memory.buffer, layout.results, columns * RESULT_NUMBERS);
    this.#tiles = new Uint32Array(memory.buffer, layout.tiles, columns * blocks * weights.length);
    this.#starts = new Uint32Array(memory.buffer, layout.starts, columns);
  }

  /**
   * Runs a step on the main thread. There are two arrays of shares; `side` selects the one that is read, and
   * the other is written.
   */
  step(side: 0 | 1, damping: number, mass: number): StepResult {
    this.#setScalars(side, damping, mass);
    Atomics.store(this.#control, Control.doneColumns, 0);
    Atomics.store(this.#control, Control.nextColumn, 0);
    Atomics.add(this.#control, Control.step, 1);
    Atomics.notify(this.#control, Control.step);
    this.#takeColumns();
    this.#awaitOthers();
    return this.#sumResults();
  }

  /**
   * Runs a step on this thread alone, portion by portion. `load` brings the edges of a portion into the memory. There
   * must be no other threads.
   */
  stepInPortions(
    portions: readonly Portion[],
    load: (portion: Portion) => void,
    [side, damping, mass]: Parameters<ColumnWorker['step']>,
  ): StepResult {
    this.#setScalars(side, damping, mass);
    for (const portion of portions) {
      load(portion);
      for (let column = portion.first; column < portion.end; column++) this.#work(column);
    }
    return this.#sumResults();
  }

  /** Runs on every thread except the main thread: takes part in each step until `stop` is called. */
  serve(): void {
    let step = 0;
    while (Atomics.load(this.#control, Control.stop) === 0) {
      Atomics.wait(this.#control, Control.step, step);
      step = Atomics.load(this.#control, Control.step);
      this.#takeColumns();
    }
  }

  stop(): void {
    Atomics.store(this.#control, Control.stop, 1);
    // Marks all columns as taken, so that a thread that wakes up finds no column and ends.
    Atomics.store(this.#control, Control.nextColumn, this.#layout.columns);
    Atomics.add(this.#control, Control.step, 1);
    Atomics.notify(this.#control, Control.step);
  }

  #setScalars(side: 0 | 1, damping: number, mass: number): void {
    this.#scalars[Scalar.damping] = damping;
    this.#scalars[Scalar.mass] = mass;
    this.#control[Control.side] = side;
  }

  #takeColumns(): void {
    for (;;) {
      const column = Atomics.add(this.#control, Control.nextColumn, 1);
      if (column >= this.#layout.columns) return;
      this.#work(column);
      const done = Atomics.add(this.#control, Control.doneColumns, 1) + 1;
      if (done === this.#layout.columns) Atomics.notify(this.#control, Control.doneColumns);
    }
  }

  #work(column: number): void {
    const { weights, blocks, nodeCount, ranks, inverses, shares, restarts, results } = this.#layout;
    const side = this.#control[Control.side]!;
    const from = shares[side as 0 | 1];
    let word = this.#layout.words + this.#starts[column]! * 4;
    let tile = column * weights.length * blocks;
    for (const weight of weights) {
      for (let block = 0; block < blocks; block++, tile++) {
        const count = this.#tiles[tile]!;
        if (count === 0) continue;
        this.#kernel.addTile(word, count, from + block * RANGE_NODES * 4, this.#sums, weight);
        word += count * 4;
      }
    }
    const first = column * RANGE_NODES * 4;
    this.#kernel.finishColumn(
      Math.min(RANGE_NODES, nodeCount - column * RANGE_NODES),
      this.#sums,
      ranks + first,
      inverses + first,
      shares[side === 0 ? 1 : 0] + first,
      restarts === 0 ? 0 : restarts + first,
      this.#scalars[Scalar.mass]!,
      this.#scalars[Scalar.damping]!,
      results + column * RESULT_NUMBERS * 8,
    );
  }

  #awaitOthers(): void {
    for (;;) {
      const done = Atomics.load(this.#control, Control.doneColumns);
      if (done >= this.#layout.columns) return;
      if (Atomics.wait(this.#control, Control.doneColumns, done, PATIENCE_MS) === 'timed-out')
        throw new GyreError('rank-thread-lost', `a PageRank thread did not respond for ${PATIENCE_MS} ms`);
    }
  }

  #sumResults(): StepResult {
    const result = { distance: 0, handed: 0, total: 0 };
    for (let at = 0; at < this.#results.length; at += RESULT_NUMBERS) {
      result.distance += this.#results[at]!;
      result.handed += this.#results[at + 1]!;
      result.total += this.#results[at + 2]!;
    }
    return result;
  }
}
