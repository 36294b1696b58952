/**
 * A cache with a memory limit for values that are derived from a versioned source.
 *
 * All entries belong to one version: the first lookup with another version clears the cache. When the limit
 * is reached, the least recently used entries are evicted first.
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

  /** The approximate memory limit for values; 0 disables the cache. */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get isOn(): boolean {
    return this.#limitBytes > 0;
  }

  get stats(): CacheStats {
    return { hits: this.#hits, misses: this.#misses, sizeBytes: this.#sizeBytes };
  }

  /** Returns the value under `key` for this version, or null. */
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

  /** Ignores values of another version, and values larger than the whole limit. */
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
