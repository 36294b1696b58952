/**
 * Values that were made lately, kept within a limit of memory as long as what they were made of has not changed.
 *
 * Everything in it is of one version: with the first question about another, all is forgotten. Of the rest the least
 * recently used leave first when the limit is reached.
 */

export interface CacheStats {
  hits: number;
  misses: number;
  sizeBytes: number;
}

interface Entry<Value> {
  value: Value;
  sizeBytes: number;
}

export class VersionedCache<Value> {
  readonly #limitBytes: number;
  readonly #entries = new Map<string, Entry<Value>>();
  #version = '';
  #sizeBytes = 0;
  #hits = 0;
  #misses = 0;

  /** About how much memory values may take; 0 keeps none. */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get isOn(): boolean {
    return this.#limitBytes > 0;
  }

  get stats(): CacheStats {
    return { hits: this.#hits, misses: this.#misses, sizeBytes: this.#sizeBytes };
  }

  /** The value under `key` of this version, or null. */
  find(version: string, key: string): Value | null {
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
    return entry.value;
  }

  /** What came while the version changed, or is larger than all that may be kept, is not kept. */
  keep(version: string, key: string, value: Value, sizeBytes: number): void {
    if (version !== this.#version || sizeBytes > this.#limitBytes) return;
    this.#drop(key);
    this.#entries.set(key, { value, sizeBytes });
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
