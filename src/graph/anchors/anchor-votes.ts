/**
 * Counts the votes of hosts for the anchor texts of one document, and selects the texts to keep.
 *
 * A host has one vote per text, regardless of upper and lower case. The 32 texts with the most weight are kept.
 * However, while there are texts of other hosts, at most four texts are kept per host, counted for the host
 * that used the text first. Otherwise one host with many different texts would displace all other texts.
 */
import { type LinkedText, MAX_TEXTS } from './anchors-format.ts';

/**
 * The maximum number of kept texts per host, counted for the host that used the text first. It applies only
 * while there are texts of other hosts.
 */
const MAX_TEXTS_OF_HOST = 4;

/** The factor for the vote of a host for a page of its own domain. */
const OWN_VOTE = 0.25;

interface Said extends LinkedText {
  firstHost: number;
  /**
   * The host that voted last for the text. All votes of a host arrive one after the other, so a second vote of
   * the same host is recognised by this number. Votes of scattered hosts (see `isScattered`) arrive in any
   * order; `scatteredHosts` lists the scattered hosts that have voted.
   */
  lastHost: number;
  scatteredHosts: Set<number> | null;
}

export class AnchorVotes {
  readonly #said = new Map<string, Said>();

  /**
   * Adds the vote of a host for a text. `isScattered` is true if the votes of this host may arrive between
   * votes of other hosts.
   */
  add(text: string, host: number, isScattered: boolean, weight: number): void {
    const key = foldText(text);
    const unsaid = { text, weight: 0, firstHost: host, lastHost: -1, scatteredHosts: null };
    const said = this.#said.get(key) ?? unsaid;
    this.#said.set(key, said);
    if (isScattered ? isRepeatedByScattered(said, host) : said.lastHost === host) return;
    if (!isScattered) said.lastHost = host;
    said.weight += weight;
  }

  /** Returns the texts to keep, by descending weight. */
  best(): LinkedText[] {
    const places = new Map<number, number>();
    const preferred: Said[] = [];
    const others: Said[] = [];
    for (const said of [...this.#said.values()].sort(byWeight)) {
      const taken = places.get(said.firstHost) ?? 0;
      places.set(said.firstHost, taken + 1);
      (taken < MAX_TEXTS_OF_HOST ? preferred : others).push(said);
    }
    return [...preferred, ...others].slice(0, MAX_TEXTS).sort(byWeight);
  }
}

/**
 * Returns the weight of the vote of a host with the given rank and `farm` signal, among `hostCount` hosts. The weight
 * increases with the rank and decreases with `farm`.
 */
export function voteWeight(
  { rank, farm }: { rank: number; farm: number },
  hostCount: number,
  isOwnDomain: boolean,
): number {
  const weight = Math.log2(1 + rank * hostCount) * (1 - farm);
  return isOwnDomain ? weight * OWN_VOTE : weight;
}

/** Returns the folded form of an anchor text. Texts with the same folded form count as one text. */
export function foldText(text: string): string {
  return text.toLowerCase();
}

function isRepeatedByScattered(said: Said, host: number): boolean {
  said.scatteredHosts ??= new Set();
  if (said.scatteredHosts.has(host)) return true;
  said.scatteredHosts.add(host);
  return false;
}

function byWeight(a: LinkedText, b: LinkedText): number {
  return b.weight - a.weight || (a.text < b.text ? -1 : 1);
}
