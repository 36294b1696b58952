/**
 * Finds the price of a visit (interval.ts) at which all known URLs together need no more visits than the operator
 * allows.
 *
 * The book counts the scheduled URLs by classes of equal needs. The price is the lowest one at which the planned visits
 * of all classes are within the budget, but never less than MIN_PRICE, so that pages which hardly change are not
 * visited only because there are requests left.
 *
 * The counts are a summary of the crawl state: each URL remembers the class in which it is counted, so that its next
 * visit moves it. The summary is stored with a commit from time to time; a crash loses a few moves, which shifts the
 * price by less than it varies anyway.
 */
import { bestDays, type RevisitNeeds } from './interval.ts';

/** A visit must gain at least this many days (one hour) of freshness. */
const MIN_PRICE = 1 / 24;
const MAX_PRICE = 1e4;
const STEPS = 30;
/** The price is computed again after this many moves, or after moves of this share of all URLs. */
const MIN_MOVES = 64;
const MOVED_SHARE = 1 / 20;
/**
 * The number of classes between a value and twice this value: RATE_CLASSES for the rate of changes, the other constant
 * for the other numbers. The classes of the rate are narrow. With wide classes, a part of the allowed visits would not be
 * used: many pages share the class in which the rate becomes too high for frequent visits, and their visits stop together.
 */
const RATE_CLASSES = 12;
const CLASSES = 2;
const MIN_RATE = 1e-6;

export class PriceBook {
  readonly #visitsPerDay: number;
  readonly #counts = new Map<string, number>();
  #total = 0;
  #moves = 0;
  #unsaved = 0;
  #price = MIN_PRICE;

  /** `visitsPerDay` is the average number of visits of a URL per day that all URLs together may need. */
  constructor(visitsPerDay: number) {
    this.#visitsPerDay = visitsPerDay;
  }

  /** The price of a visit in days. */
  get price(): number {
    if (this.#moves >= Math.max(MIN_MOVES, this.#total * MOVED_SHARE)) {
      this.#moves = 0;
      this.#price = this.#solve();
    }
    return this.#price;
  }

  /** Number of URLs that moved since the last call of `encode`. */
  get unsavedMoves(): number {
    return this.#unsaved;
  }

  /** Counts a URL by its needs instead of by its former class; returns its class. An empty class is not counted. */
  move(from: string, needs: RevisitNeeds | null): string {
    const to = needs ? classOf(needs) : '';
    if (from === to) return to;
    this.#add(from, -1);
    this.#add(to, 1);
    this.#moves++;
    this.#unsaved++;
    return to;
  }

  encode(): string {
    this.#unsaved = 0;
    return JSON.stringify({ price: this.#price, counts: Object.fromEntries(this.#counts) });
  }

  decode(stored: string): void {
    const { price, counts } = JSON.parse(stored) as { price: number; counts: Record<string, number> };
    this.#price = price;
    this.#moves = MIN_MOVES;
    for (const [each, count] of Object.entries(counts)) this.#add(each, count);
  }

  #add(each: string, count: number): void {
    if (each === '') return;
    const known = this.#counts.get(each) ?? 0;
    const next = Math.max(0, known + count);
    this.#total += next - known;
    if (next === 0) this.#counts.delete(each);
    else this.#counts.set(each, next);
  }

  #solve(): number {
    const classes = Array.from(this.#counts, ([each, count]) => ({ needs: needsOf(each), count }));
    const budget = this.#visitsPerDay * this.#total;
    const isWithin = (price: number) =>
      classes.reduce((sum, { needs, count }) => sum + count / bestDays(needs, price), 0) <= budget;
    if (isWithin(MIN_PRICE)) return MIN_PRICE;
    let [low, high] = [Math.log(MIN_PRICE), Math.log(MAX_PRICE)];
    for (let step = 0; step < STEPS; step++) {
      const middle = (low + high) / 2;
      if (isWithin(Math.exp(middle))) high = middle;
      else low = middle;
    }
    return Math.exp(high);
  }
}

/** A class is the list of the needs as rounded logarithms, with the rate first. */
function classOf({ rate, weight, linkRate, linkWeight, minDays, maxDays }: RevisitNeeds): string {
  return [rate, weight, linkRate * linkWeight, minDays, maxDays]
    .map((each, at) => Math.round(classesAt(at) * Math.log2(Math.max(each, MIN_RATE))))
    .join();
}

function needsOf(stored: string): RevisitNeeds {
  const numbers = stored.split(',').map((each, at) => 2 ** (Number(each) / classesAt(at)));
  const [rate, weight, linkRate, minDays, maxDays] = numbers as [number, number, number, number, number];
  return { rate, weight, linkRate, linkWeight: 1, minDays, maxDays };
}

function classesAt(at: number): number {
  return at === 0 ? RATE_CLASSES : CLASSES;
}
