/**
 * Counts the votes of hosts for the anchor texts of one document, and selects the texts to keep.
 *
 * A host has one vote per text, regardless of upper and lower case. The texts with the most weight are kept.
 * But texts that the same host was the first to use get only four places while texts of other hosts remain,
 * because otherwise one host with many different texts would displace the texts of all others. Places that
 * are still free are filled by weight alone.
 */
import { type LinkedText, MAX_TEXTS } from './anchors-format.ts';

/** Texts first used by one host get at most this many places while other texts remain. */
const MAX_TEXTS_OF_HOST = 4;

interface Said extends LinkedText {
  firstHost: number;
  /**
   * The host that voted last. Votes of one host arrive one after the other, so a second vote is detected by this
   * number. For scattered hosts, whose votes arrive at any time, `scatteredHosts` lists those that have voted.
   */
  lastHost: number;
  scatteredHosts: Set<number> | null;
}

export class AnchorVotes {
  readonly #said = new Map<string, Said>();

  /** `isScattered`: votes of this host may come at any time and need not be consecutive. */
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

/** Texts with the same folded form count as one text. */
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
