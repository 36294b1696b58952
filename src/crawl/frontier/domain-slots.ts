/**
 * Spaces the requests to the hosts of one registrable domain, while other domains have work too.
 *
 *   ready host -> has a slot?    no: it gets the next free slot of its domain and waits until then
 *                                yes, and the slot has begun: it is leased
 *
 * A host calls `reserve` twice per request, however many hosts of its domain wait, so a wildcard domain with
 * thousands of ready hosts costs no scan over all of them. A domain that is alone in memory is not spaced,
 * because no other domain would use the time. Seeds and domains with few hosts are not spaced either
 * (domains.ts).
 */
import type { Clock } from '../../base/mod.ts';
import type { WaitReason } from '../state/mod.ts';
import type { Domains } from './domains.ts';
import { GRANTED, type Permission } from './host-groups.ts';

interface DomainState {
  hosts: number;
  /** Start time of the next free slot of the domain. */
  nextSlotAt: number;
  /** For each host, identified by its origin, the start time of its reserved slot. */
  slots: Map<string, number>;
}

export class DomainSlots {
  readonly #clock: Clock;
  readonly #domains: Domains | undefined;
  /** Registrable domains that have hosts in the frontier's memory, by name. */
  readonly #inMemory = new Map<string, DomainState>();

  constructor(clock: Clock, domains: Domains | undefined) {
    this.#clock = clock;
    this.#domains = domains;
  }

  hostEntered(origin: string): void {
    if (!this.#domains) return;
    const name = this.#domains.nameOf(origin);
    const domain = this.#inMemory.get(name) ?? { hosts: 0, nextSlotAt: 0, slots: new Map() };
    this.#inMemory.set(name, domain);
    domain.hosts++;
  }

  hostLeft(origin: string): void {
    if (!this.#domains) return;
    const name = this.#domains.nameOf(origin);
    const domain = this.#inMemory.get(name)!;
    domain.slots.delete(origin);
    if (--domain.hosts === 0) this.#inMemory.delete(name);
  }

  /** True if the counts of the host's domain are loaded, which `reserve` needs. */
  isLoaded(origin: string): boolean {
    return !this.#domains || this.#inMemory.size < 2 || this.#domains.isLoaded(origin);
  }

  async load(origin: string): Promise<void> {
    await this.#domains?.load(origin);
  }

  /**
   * Asks for permission to send a request to the host now. If it is granted, the host's slot is used up; otherwise
   * the host keeps its slot and waits.
   */
  reserve(origin: string): Permission {
    if (!this.#domains || this.#inMemory.size < 2) return GRANTED;
    const domain = this.#inMemory.get(this.#domains.nameOf(origin))!;
    const now = this.#clock.now();
    const slotAt = domain.slots.get(origin) ?? this.#nextSlot(domain, origin, now);
    if (slotAt <= now) {
      domain.slots.delete(origin);
      return GRANTED;
    }
    domain.slots.set(origin, slotAt);
    return { kind: 'wait', untilMs: slotAt };
  }

  /** Returns the reason why the host waits for a slot. */
  reasonOf(origin: string): WaitReason {
    const requestsPerSecond = Math.round(1000 / this.#domains!.spacingMs(origin));
    return { code: 'domain-rate', domain: this.#domains!.nameOf(origin), requestsPerSecond };
  }

  #nextSlot(domain: DomainState, origin: string, now: number): number {
    const spacingMs = this.#domains!.spacingMs(origin);
    if (spacingMs === 0) return 0;
    const slotAt = Math.max(now, domain.nextSlotAt);
    domain.nextSlotAt = slotAt + spacingMs;
    return slotAt;
  }
}
