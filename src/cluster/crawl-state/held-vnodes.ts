/**
 * The vnodes that a node holds, as the crawl state sees them: reads are limited to their rows, and a write that
 * changes a row of another vnode is refused.
 */
import { GyreError } from '../../base/mod.ts';
import { type CanonicalUrl, type HostGroup, hostOf, partitionOf } from '../../url/mod.ts';
import type { OwnedVnode } from '../vnode-owner.ts';

export class HeldVnodes {
  readonly #node: string;
  readonly #groups: readonly HostGroup[];
  #vnodes: readonly OwnedVnode[] = [];
  #numbers: number[] = [];
  #isHeld: ReadonlySet<number> = new Set();

  constructor(node: string, groups: readonly HostGroup[]) {
    this.#node = node;
    this.#groups = groups;
  }

  get vnodes(): readonly OwnedVnode[] {
    return this.#vnodes;
  }

  /** The numbers of the vnodes, as a parameter of statements. */
  get numbers(): number[] {
    return this.#numbers;
  }

  replace(vnodes: readonly OwnedVnode[]): void {
    this.#vnodes = [...vnodes];
    this.#numbers = vnodes.map(({ vnode }) => vnode);
    this.#isHeld = new Set(this.#numbers);
  }

  /** Returns true if the node holds the vnode of the URL. */
  holds(url: CanonicalUrl): boolean {
    return this.#isHeld.has(partitionOf(hostOf(url), this.#groups));
  }

  /**
   * Gives up the vnodes that are not in `owned`, or are there with another epoch. Returns the vnodes that were
   * given up.
   */
  keepOnly(owned: readonly OwnedVnode[]): OwnedVnode[] {
    const epochs = new Map(owned.map(({ vnode, epoch }) => [vnode, epoch]));
    const lost = this.#vnodes.filter(({ vnode, epoch }) => epochs.get(vnode) !== epoch);
    if (lost.length > 0) this.replace(this.#vnodes.filter((vnode) => !lost.includes(vnode)));
    return lost;
  }

  /** Returns the vnode of a URL that is about to be stored. Throws an error if the vnode is not held. */
  vnodeOf(url: CanonicalUrl): number {
    const vnode = partitionOf(hostOf(url), this.#groups);
    this.check([{ vnode }]);
    return vnode;
  }

  vnodeOfOrigin(origin: string): number {
    return this.vnodeOf(`${origin}/` as CanonicalUrl);
  }

  /** Throws an error if a row that was changed belongs to another vnode. The transaction must then be rolled back. */
  check(changed: Iterable<{ vnode: number }>): void {
    for (const { vnode } of changed) {
      if (this.#isHeld.has(vnode)) continue;
      throw new GyreError('stale-epoch', `${this.#node} does not own vnode ${vnode}: the write was refused`);
    }
  }
}
