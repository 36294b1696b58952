/**
 * A map with a limit. Three policies decide what a full cache drops:
 *
 *   ofEntries         the least recently used entries, until `maxEntries` are left
 *   ofBytes           the least recently used entries, until their sizes add up to at most `maxBytes`
 *   clearedWhenFull   all entries; for values that are cheap to compute, because a hit costs only one lookup
 *                     and no bookkeeping
 *
 * In a `VersionedCache`, all entries belong to one version of their source.
 */

interface CacheLimits {
  maxEntries: number;
  maxBytes: number;
  isClearedWhenFull: boolean;
}

export class BoundedCache<Key, Value> {
  readonly #limits: CacheLimits;
  /** The entries in order of last use; with the policy `clearedWhenFull`, in order of insertion. */
  readonly #entries = new Map<Key, Value>();
  /** The size of each entry in bytes. Used only if the limit of the cache is in bytes. */
  readonly #sizes = new Map<Key, number>();
  #sizeBytes = 0;

  static ofEntries<Key, Value>(maxEntries: number): BoundedCache<Key, Value> {
    return new BoundedCache({ maxEntries, maxBytes: Number.POSITIVE_INFINITY, isClearedWhenFull: false });
  }

  static ofBytes<Key, Value>(maxBytes: number): BoundedCache<Key, Value> {
    return new BoundedCache({ maxEntries: Number.POSITIVE_INFINITY, maxBytes, isClearedWhenFull: false });
  }

  static clearedWhenFull<Key, Value>(maxEntries: number): BoundedCache<Key, Value> {
    return new BoundedCache({ maxEntries, maxBytes: Number.POSITIVE_INFINITY, isClearedWhenFull: true });
  }

  private constructor(limits: CacheLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#entries.size;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Returns a cached value without counting this as a use of its entry. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value === undefined || this.#limits.isClearedWhenFull) return value;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Returns the cached value, or computes and keeps it. */
  remember(key: Key, compute: () => Value): Value {
    const known = this.get(key);
    if (known !== undefined) return known;
    const value = compute();
    this.set(key, value);
    return value;
  }

  /**
   * Adds a value. `sizeBytes` is used only if the limit is in bytes. A value larger than the whole limit is
   * not kept.
   */
  set(key: Key, value: Value, sizeBytes = 0): void {
    const { maxEntries, maxBytes, isClearedWhenFull } = this.#limits;
    this.delete(key);
    if (sizeBytes > maxBytes) return;
    if (isClearedWhenFull && this.#entries.size >= maxEntries) this.clear();
    this.#entries.set(key, value);
    if (sizeBytes > 0) this.#sizes.set(key, sizeBytes);
    this.#sizeBytes += sizeBytes;
    while (this.#entries.size > maxEntries || this.#sizeBytes > maxBytes) {
      this.delete(this.#entries.keys().next().value!);
    }
  }

  delete(key: Key): void {
    if (!this.#entries.delete(key) || this.#sizeBytes === 0) return;
    this.#sizeBytes -= this.#sizes.get(key) ?? 0;
    this.#sizes.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#sizes.clear();
    this.#sizeBytes = 0;
  }

  values(): IterableIterator<Value> {
    return this.#entries.values();
  }

  entries(): IterableIterator<[Key, Value]> {
    return this.#entries.entries();
  }
}
