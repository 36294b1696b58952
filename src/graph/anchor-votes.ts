/**
 * What hosts say of one document, and which of that is kept.
 *
 * A host has one vote for a text, however it writes its capitals. The places go to the texts with the most
 * weight, but a host that has brought up several of them waits until others have had theirs: else one
 * talkative host would push out what everybody else says. What is left of the places is given by weight alone.
 */
import { type AnchorText, MAX_TEXTS } from './anchors-format.ts';

/** A host has no more places for texts that it was the first to say, while others want them. */
const MAX_TEXTS_OF_HOST = 4;

interface Said extends AnchorText {
  firstHost: number;
  /** Votes of a host come after each other, and only the first counts; those of scattered hosts do not. */
  lastHost: number;
  scatteredHosts: Set<number> | null;
}

export class AnchorVotes {
  readonly #said = new Map<string, Said>();

  /** `isScattered` says that votes of this host may come at any time, not only after each other. */
  add(text: string, host: number, isScattered: boolean, weight: number): void {
    const key = foldText(text);
    const unsaid = { text, weight: 0, firstHost: host, lastHost: -1, scatteredHosts: null };
    const said = this.#said.get(key) ?? unsaid;
    this.#said.set(key, said);
    if (isScattered ? isRepeatedByScattered(said, host) : said.lastHost === host) return;
    if (!isScattered) said.lastHost = host;
    said.weight += weight;
  }

  /** By falling weight. */
  best(): AnchorText[] {
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

/** Equal for texts that are one to whoever counts votes. */
export function foldText(text: string): string {
  return text.toLowerCase();
}

function isRepeatedByScattered(said: Said, host: number): boolean {
  said.scatteredHosts ??= new Set();
  if (said.scatteredHosts.has(host)) return true;
  said.scatteredHosts.add(host);
  return false;
}

function byWeight(a: AnchorText, b: AnchorText): number {
  return b.weight - a.weight || (a.text < b.text ? -1 : 1);
}
