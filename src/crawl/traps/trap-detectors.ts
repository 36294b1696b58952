/**
 * A detector for every host that is being crawled. Those not used for long make room for others; what they
 * learned goes to the state and comes back with the host.
 *
 * There are as many as hosts are in the frontier's memory, as long as all of them together remember no more
 * than `MAX_REMEMBERED`: some hosts are hardly known, others have filled all that a detector may hold.
 */
import type { Clock } from '../../base/mod.ts';
import { TrapDetector, type TrapMemory } from './trap-detector.ts';

const MAX_HOSTS = 5000;
/** Things of about a hundred bytes. */
const MAX_REMEMBERED = 600_000;

interface Host {
  detector: TrapDetector;
  /** Since it was last passed over by an eviction. */
  isUsed: boolean;
  /** Since `takeChanged`. */
  isUnsaved: boolean;
  /** Its size at the last `takeChanged`. */
  size: number;
}

export class TrapDetectors {
  readonly #clock: Clock;
  readonly #load: (origin: string) => TrapMemory | null;
  readonly #hosts = new Map<string, Host>();
  readonly #evicted = new Map<string, TrapMemory>();
  #size = 0;

  readonly #maxRemembered: number;

  /** `load` reads what `takeChanged` gave for this origin. */
  constructor(
    clock: Clock,
    load: (origin: string) => TrapMemory | null = () => null,
    maxRemembered = MAX_REMEMBERED,
  ) {
    this.#clock = clock;
    this.#load = load;
    this.#maxRemembered = maxRemembered;
  }

  /** The detector of a host, to be used at once: it may not be the same one next time. */
  of(origin: string): TrapDetector {
    const host = this.#hosts.get(origin) ?? this.#open(origin);
    host.isUsed = true;
    host.isUnsaved = true;
    return host.detector;
  }

  /** What is to be committed: the memory of hosts that were used since the last time and learned something. */
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

  #open(origin: string): Host {
    if (this.#hosts.size >= MAX_HOSTS) this.#evict();
    const memory = this.#evicted.get(origin) ?? this.#load(origin) ?? undefined;
    const host = { detector: new TrapDetector(this.#clock, memory), isUsed: true, isUnsaved: true, size: 0 };
    this.#hosts.set(origin, host);
    return host;
  }

  /** Second chance: who was used since its last turn goes to the end of the line, the first who was not goes. */
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
