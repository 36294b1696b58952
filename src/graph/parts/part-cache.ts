/**
 * The pages of a part in memory. A worker keeps them from one phase to the next, so that it merges the URLs of
 * a part once. If another worker continues with the part, it reads the same blobs and gets the same tables.
 */
import { type LocalUrl, MergedRuns, RunFile, RunKind } from '../runs/mod.ts';
import { UintList } from '../tiles/mod.ts';
import { DocumentMap } from './document-map.ts';
import { toUint32s, unpackArrays } from './packed-arrays.ts';
import { basesOf } from './rank-job.ts';
import type { TaskContext } from './task-context.ts';

/** The tables of the URLs that the pages of a part mention. Each array has one entry for each of these URLs, in order. */
interface PartTables {
  /** The number of each URL among the URLs of all parts. */
  numbers: Uint32Array;
}

interface DocumentTables {
  /** The number of the document of each URL. */
  documents: Uint32Array;
  isRepresentative: Uint8Array;
}

class PartPages {
  readonly merged: MergedRuns;
  /** A number for the host of each URL. */
  readonly siteOf: Uint32Array;
  readonly #runs: readonly RunFile[];
  #numbers: PartTables | null = null;
  #documents: DocumentTables | null = null;

  constructor(runs: readonly RunFile[], onUrl: (url: LocalUrl) => void) {
    const siteOf = new UintList();
    let host = '';
    let site = -1;
    this.#runs = runs;
    this.merged = new MergedRuns(runs, (url) => {
      const hostKey = url.key.slice(0, url.key.indexOf(' '));
      if (hostKey !== host || site < 0) site++;
      host = hostKey;
      siteOf.push(site);
      onUrl(url);
    });
    this.siteOf = siteOf.view();
  }

  /** Returns the number of each URL among the URLs of all parts. The phase `numbers` must be finished. */
  async numbers(context: TaskContext, part: number): Promise<Uint32Array> {
    this.#numbers ??= { numbers: await readNumbers(context, part, this.merged.urlCount) };
    return this.#numbers.numbers;
  }

  /** Returns the documents of the URLs. The phase `documents` must be finished. */
  async documents(context: TaskContext, part: number): Promise<DocumentTables> {
    this.#documents ??= this.#resolve(await this.numbers(context, part), await DocumentMap.open(context));
    return this.#documents;
  }

  close(): void {
    for (const run of this.#runs) run.close();
  }

  #resolve(numbers: Uint32Array, map: DocumentMap): DocumentTables {
    const isRepresentative = new Uint8Array(numbers.length);
    for (const { url, kind } of this.merged.records(false))
      isRepresentative[url] = Number(map.isRepresentative(numbers[url]!, kind === RunKind.page));
    return { documents: map.documentsOf(numbers), isRepresentative };
  }
}

/**
 * Concatenates the numbers that the parts have returned. The result is in the order of the URLs of this part,
 * because the URLs of each part are consecutive in the order of all URLs.
 */
async function readNumbers(context: TaskContext, part: number, urlCount: number): Promise<Uint32Array> {
  const bases = basesOf(await context.results('numbers'), 'urls');
  const { sizes } = (await context.results('names'))[part]!.result as { sizes: number[] };
  const numbers = new Uint32Array(urlCount);
  let at = 0;
  for (const [from, size] of sizes.entries()) {
    if (size === 0) continue;
    const [table] = unpackArrays(await context.get('numbers', from, `to-${part}`), 'numbers');
    for (const number of toUint32s(table!)) numbers[at++] = bases[from]! + number;
  }
  return numbers;
}

export class PartCache {
  readonly #pages = new Map<number, PartPages>();

  /** Returns the pages of a part. If `onUrl` is given, the runs are read again, and it is called for every URL. */
  async pagesOf(context: TaskContext, part: number, onUrl?: (url: LocalUrl) => void): Promise<PartPages> {
    const known = this.#pages.get(part);
    if (known && !onUrl) return known;
    this.forget(part);
    const runs: RunFile[] = [];
    for (const [number, writer] of context.job.writers.entries()) {
      const name = await context.file('split', number, `part-${part}`);
      runs.push(new RunFile(context.scratch, { name, writer }));
    }
    const pages = new PartPages(runs, onUrl ?? (() => {}));
    this.#pages.set(part, pages);
    return pages;
  }

  forget(part: number): void {
    this.#pages.get(part)?.close();
    this.#pages.delete(part);
  }

  clear(): void {
    for (const part of [...this.#pages.keys()]) this.forget(part);
  }
}
