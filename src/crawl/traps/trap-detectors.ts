/**
 * One trap detector per host that is being crawled. Detectors that have not been used for long are evicted;
 * their memory is saved to the state and loaded again with the host. Reading the state takes time, so `load` comes
 * before the first use of a detector: for the host of a visit, and for the hosts of new links.
 *
 * There are at most `MAX_HOSTS` detectors, as many as hosts in the frontier's memory. Their total size is
 * limited to `MAX_REMEMBERED` as well, because detectors differ much in size.
 */
import type { Clock } from '../../base/mod.ts';
import { TrapDetector, type TrapMemory } from './trap-detector.ts';

const MAX_HOSTS = 5000;
/** Maximum total size of all detectors, in units of about a hundred bytes. */
const MAX_REMEMBERED = 600_000;

interface Host {
  detector: TrapDetector;
  /** True if the detector was used since the eviction scan last reached it. */
  isUsed: boolean;
  /** True if the detector was used since the last `takeChanged`. */
  isUnsaved: boolean;
  /** Size of the detector as of the last `takeChanged`. */
  size: number;
}

/** Reads the stored conclusions about these hosts. */
type TrapMemoryReader = (origins: readonly string[]) => Promise<Map<string, TrapMemory>>;

export class TrapDetectors {
  readonly #clock: Clock;
  readonly #read: TrapMemoryReader;
  readonly #hosts = new Map<string, Host>();
  readonly #evicted = new Map<string, TrapMemory>();
  #size = 0;

  readonly #maxRemembered: number;

  constructor(clock: Clock, read: TrapMemoryReader = async () => new Map(), maxRemembered = MAX_REMEMBERED) {
    this.#clock = clock;
    this.#read = read;
    this.#maxRemembered = maxRemembered;
  }

  /** True if the trap detector of the host is in memory. */
  has(origin: string): boolean {
    return this.#hosts.has(origin);
  }

  /**
   * Loads the stored conclusions about these hosts, from an earlier run or from before their detectors were evicted.
   */
  async load(origins: Iterable<string>): Promise<void> {
    const absent = Array.from(origins).filter((origin) => !this.has(origin));
    if (absent.length === 0) return;
    const stored = await this.#read(absent);
    for (const origin of absent) if (!this.has(origin)) this.#open(origin, stored.get(origin));
  }

  /**
   * Returns the trap detector of a host. If `load` was not called before, the detector does not know the conclusions
   * of earlier runs. Do not keep the returned object: the next call may return another one.
   */
  of(origin: string): TrapDetector {
    const host = this.#hosts.get(origin) ?? this.#open(origin);
    host.isUsed = true;
    host.isUnsaved = true;
    return host.detector;
  }

  /**
   * Returns, for each host that was used since the last call, the conclusions to commit. The key is the origin
   * of the host.
   */
  takeChanged(): Map<string, TrapMemory> {
    const changed = new Map(this.#evicted);
    for (const [origin, host] of this.#hosts) {
      if (!host.isUnsaved) continue;
      const memory = host.detector.memory();
      if (memory) changed.set(origin, memory);
      host.isUnsaved = false;
      this.#resize(host, host.detector.size);
    }
    this.#evicted.clear();
    while (this.#size > this.#maxRemembered) this.#evict();
    return changed;
  }

  #resize(host: Host, size: number): void {
    this.#size += size - host.size;
    host.size = size;
  }

  #open(origin: string, stored?: TrapMemory): Host {
    if (this.#hosts.size >= MAX_HOSTS) this.#evict();
    const memory = this.#evicted.get(origin) ?? stored;
    const host = { detector: new TrapDetector(this.#clock, memory), isUsed: true, isUnsaved: true, size: 0 };
    this.#hosts.set(origin, host);
    return host;
  }

  /**
   * Second-chance eviction: a host that was used since its last check moves to the end of the queue; the first unused
   * host is evicted.
   */
  #evict(): void {
    for (const [origin, host] of this.#hosts) {
      this.#hosts.delete(origin);
      if (!host.isUsed) {
        const memory = host.isUnsaved ? host.detector.memory() : null;
        if (memory) this.#evicted.set(origin, memory);
        this.#resize(host, 0);
        return;
      }
      host.isUsed = false;
      this.#hosts.set(origin, host);
    }
  }
}
