/** Writes the links of a journal file to a run. Only the newest record of each URL is kept. */

import type { Directory } from '../../base/mod.ts';
import { type PageRecord, readVersions, type VersionedRecord } from '../../journal/mod.ts';
import { type CanonicalUrl, hostOf, registrableDomain } from '../../url/mod.ts';
import {
  compareLocality,
  type LocalUrl,
  localUrl,
  RunKind,
  type RunName,
  type RunRecord,
} from './run-format.ts';
import { writeRun } from './run-writer.ts';

/**
 * A record of a run under construction. Its URLs have temporary numbers, in the order in which they were first
 * seen.
 */
type Draft = RunRecord;

export function extractRun(journal: Directory, file: string, output: Directory, run: RunName): void {
  const extraction = new Extraction();
  for (const versioned of readVersions(journal, file)) extraction.add(versioned);
  extraction.write(output, run);
}

class Extraction {
  readonly #numbers = new Map<CanonicalUrl, number>();
  readonly #urls: LocalUrl[] = [];
  readonly #drafts = new Map<number, Draft>();

  add({ record, version: { epoch } }: VersionedRecord): void {
    // A run cannot store times before 1970. Imported pages may have such times.
    const fetchedAt = Math.max(0, Math.floor(record.fetchedAt));
    const url = this.#numberOf(record.url);
    const known = this.#drafts.get(url);
    if (known && (fetchedAt - known.fetchedAt || epoch - known.epoch) < 0) return;
    const kind = RunKind[record.kind];
    const draft: Draft = { url, kind, fetchedAt, epoch, aliasOf: -1, targets: [], texts: [] };
    if (record.kind === 'alias') draft.aliasOf = this.#numberOf(record.of);
    if (record.kind === 'page') this.#addPage(record, draft);
    this.#drafts.set(url, draft);
  }

  write(output: Directory, run: RunName): void {
    const order = this.#urls.map((_, number) => number);
    order.sort((a, b) => compareLocality(this.#urls[a]!, this.#urls[b]!));
    const placeOf = new Uint32Array(order.length);
    order.forEach((number, place) => {
      placeOf[number] = place;
    });
    writeRun(output, run, {
      urlCount: order.length,
      recordCount: this.#drafts.size,
      urls: order.map((number) => this.#urls[number]!.url),
      records: this.#recordsInOrder(order, placeOf),
    });
  }

  *#recordsInOrder(order: readonly number[], placeOf: Uint32Array): Generator<RunRecord> {
    for (const number of order) {
      const draft = this.#drafts.get(number);
      if (!draft) continue;
      yield {
        ...draft,
        url: placeOf[number]!,
        aliasOf: draft.aliasOf < 0 ? -1 : placeOf[draft.aliasOf]!,
        targets: draft.targets.map((target) => placeOf[target]!),
      };
    }
  }

  #addPage({ url, page }: PageRecord, draft: Draft): void {
    if (page.canonical && isSameDomain(url, page.canonical)) draft.aliasOf = this.#numberOf(page.canonical);
    if (!page.robots.follow) return;
    const seen = new Set<string>();
    for (const link of page.links) {
      const text = link.text.replaceAll('\n', ' ');
      const target = this.#numberOf(link.url);
      if (link.nofollow || seen.has(`${target} ${text}`)) continue;
      seen.add(`${target} ${text}`);
      draft.targets.push(target);
      draft.texts.push(text);
    }
  }

  #numberOf(url: CanonicalUrl): number {
    const known = this.#numbers.get(url);
    if (known !== undefined) return known;
    const number = this.#urls.push(localUrl(url)) - 1;
    this.#numbers.set(url, number);
    return number;
  }
}

/**
 * Returns true if both URLs are of the same registrable domain. A canonical link to another domain is
 * ignored, because any page could name any URL. If the crawl found the same content under both URLs, the
 * journal has an alias record anyway.
 */
function isSameDomain(one: CanonicalUrl, other: CanonicalUrl): boolean {
  return registrableDomain(hostOf(one)) === registrableDomain(hostOf(other));
}
