/**
 * Tells which inputs reach code of `src/` that no earlier input has reached, by V8's precise coverage. Reading
 * the coverage takes some milliseconds, so it is read once for a batch of inputs.
 */
import { type Profiler, Session } from 'node:inspector';

/** Places in the source code, as `script:offset`. */
type Places = Set<string>;

export class Coverage {
  readonly #session = new Session();
  readonly #reached = new Map<string, Uint8Array>();
  #size = 0;

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** The number of characters of source code that have run. */
  get size(): number {
    return this.#size;
  }

  /** Adds the code that has run since the last call. Returns the beginnings of the pieces that are new. */
  grow(): Places {
    const found: Places = new Set();
    for (const { url, ran } of this.#take()) {
      const reached = this.#reachedOf(url, ran.length);
      for (let at = 0, isNew = false; at < ran.length; at++) {
        const wasNew = isNew;
        isNew = ran[at] === 1 && reached[at] === 0;
        if (!isNew) continue;
        reached[at] = 1;
        this.#size++;
        if (!wasNew) found.add(`${url}:${at}`);
      }
    }
    return found;
  }

  /** Removes the places that have run since the last call. Returns true if there were any. */
  explain(places: Places): boolean {
    const before = places.size;
    const ranOf = new Map(this.#take().map(({ url, ran }) => [url, ran]));
    for (const place of places) {
      const colon = place.lastIndexOf(':');
      if (ranOf.get(place.slice(0, colon))?.[Number(place.slice(colon + 1))] === 1) places.delete(place);
    }
    return places.size < before;
  }

  close(): void {
    this.#session.disconnect();
  }

  /** Returns, for each script, one byte for each character of its source: 1 if it has run since the last call. */
  #take(): { url: string; ran: Uint8Array }[] {
    let scripts: Profiler.ScriptCoverage[] = [];
    this.#session.post('Profiler.takePreciseCoverage', (_error, taken) => {
      scripts = taken?.result ?? [];
    });
    return scripts
      .filter(({ url }) => url.includes('/src/'))
      .map(({ url, functions }) => {
        const ran = new Uint8Array(Math.max(...functions.map(({ ranges }) => ranges[0]!.endOffset)));
        // An outer range comes before the ranges in it, so the last range that contains a character decides.
        for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges))
          ran.fill(Number(count > 0), startOffset, endOffset);
        return { url, ran };
      });
  }

  #reachedOf(url: string, length: number): Uint8Array {
    const known = this.#reached.get(url);
    if (known && known.length >= length) return known;
    const grown = new Uint8Array(length);
    if (known) grown.set(known);
    this.#reached.set(url, grown);
    return grown;
  }
}
