/**
 * A cache with a memory limit for values that are derived from a source with versions.
 *
 * All entries belong to one version. The first lookup with another version clears the cache. When the limit
 * is reached, the least recently used entries are dropped. While the memory of the process is high, the cache is
 * empty.
 */
import { BoundedCache } from './bounded-cache.ts';
import { isMemoryHigh } from './memory-level.ts';

export interface CacheStats {
  hits: number;
  misses: number;
  sizeBytes: number;
}

export class VersionedCache<Value> {
  readonly #entries: BoundedCache<string, Value>;
  /** False if the memory limit of the cache is 0, so that it keeps nothing. */
  readonly isOn: boolean;
  #version = '';
  #hits = 0;
  #misses = 0;

  /** `limitBytes` is the approximate memory limit for values; 0 disables the cache. */
  constructor(limitBytes: number) {
    this.isOn = limitBytes > 0;
    this.#entries = BoundedCache.ofBytes(limitBytes);
  }

  get stats(): CacheStats {
    return { hits: this.#hits, misses: this.#misses, sizeBytes: this.#entries.sizeBytes };
  }

  find(version: string, key: string): Value | null {
    if (!this.isOn) return null;
    if (version !== this.#version || isMemoryHigh()) this.#entries.clear();
    this.#version = version;
    const value = this.#entries.get(key);
    if (value === undefined) this.#misses++;
    else this.#hits++;
    return value ?? null;
  }

  /** Adds a value. Ignores values of another version, and values larger than the whole limit. */
  keep(version: string, key: string, value: Value, sizeBytes: number): void {
    if (this.isOn && version === this.#version && !isMemoryHigh()) this.#entries.set(key, value, sizeBytes);
  }
}
