/**
 * Answers that were given lately.
 *
 * An answer is known by everything it depends on: the generation of the index and of the link graph, the ranking,
 * and the request with the query as it was understood, so that `HTTP  client` and `HTTP client` share one. Answers of
 * an older index are forgotten at once; of the others the least recently used leave first when the limit is reached.
 */
import type { SearchRequest, SearchResponse } from './searcher.ts';

export interface CacheStats {
  hits: number;
  misses: number;
  sizeBytes: number;
}

interface Entry {
  answer: SearchResponse;
  sizeBytes: number;
}

/** Of an entry besides its text: the map's slot, the objects. */
const ENTRY_BYTES = 500;
const BYTES_PER_RESULT = 300;

export class AnswerCache {
  readonly #limitBytes: number;
  readonly #entries = new Map<string, Entry>();
  #version = '';
  #sizeBytes = 0;
  #hits = 0;
  #misses = 0;

  /** About how much memory answers may take; 0 keeps none. */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get isOn(): boolean {
    return this.#limitBytes > 0;
  }

  get stats(): CacheStats {
    return { hits: this.#hits, misses: this.#misses, sizeBytes: this.#sizeBytes };
  }

  /** The answer under `key` from the index of this version, or null. */
  find(version: string, key: string): SearchResponse | null {
    if (!this.isOn) return null;
    if (version !== this.#version) this.#forget(version);
    const entry = this.#entries.get(key);
    if (!entry) {
      this.#misses++;
      return null;
    }
    this.#hits++;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.answer;
  }

  /** One that was cut short is not kept: the next may be whole. */
  keep(version: string, key: string, answer: SearchResponse): void {
    const sizeBytes = sizeOf(key, answer);
    if (answer.partial || version !== this.#version || sizeBytes > this.#limitBytes) return;
    this.#drop(key);
    this.#entries.set(key, { answer, sizeBytes });
    this.#sizeBytes += sizeBytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#sizeBytes <= this.#limitBytes) break;
      this.#drop(oldest);
    }
  }

  #forget(version: string): void {
    this.#version = version;
    this.#entries.clear();
    this.#sizeBytes = 0;
  }

  #drop(key: string): void {
    this.#sizeBytes -= this.#entries.get(key)?.sizeBytes ?? 0;
    this.#entries.delete(key);
  }
}

/** `understood` is the query after parsing, `profile` names the ranking. */
export function cacheKey(request: SearchRequest, understood: string, profile: string): string {
  return JSON.stringify([profile, { ...request, query: understood }]);
}

/** Strings of other than Western letters take two bytes a letter: all are counted so. */
function sizeOf(key: string, { results }: SearchResponse): number {
  const letters = results.reduce(
    (sum, { url, title, snippet }) => sum + url.length + title.length + snippet.length,
    0,
  );
  return ENTRY_BYTES + 2 * key.length + BYTES_PER_RESULT * results.length + 2 * letters;
}
