/**
 * The phases `names`, `numbers`, `aliases` and `documents`: the URLs get numbers in the order of hosts and paths, the
 * same as in a ranking on one node, and aliases get their documents.
 *
 * The pages of a part mention URLs of all parts. Each part sorts these URLs, so the URLs that belong to one
 * part are a piece of the list. That part gets its piece from every part, merges the pieces, and returns a
 * number for each URL.
 */
import type { CanonicalUrl } from '../../url/mod.ts';
import { NodeUrls, NodeUrlsWriter } from '../node-urls.ts';
import { type LocalUrl, mergeUrls, nextLocalUrl, RunKind } from '../runs/mod.ts';
import { Bitmap } from './bitmap.ts';
import { type Alias, DocumentMap } from './document-map.ts';
import { packArrays, toUint32s, unpackArrays } from './packed-arrays.ts';
import { basesOf, type RankTaskResult } from './rank-job.ts';
import { PartFinder } from './split-tasks.ts';
import type { TaskContext } from './task-context.ts';

export async function collectNames(context: TaskContext): Promise<RankTaskResult> {
  const finder = await PartFinder.open(context);
  const sizes: number[] = Array(context.job.parts).fill(0);
  let piece: { part: number; urls: NodeUrlsWriter } | null = null;
  await context.memory.parts.pagesOf(context, context.task, (url) => {
    const part = finder.partOf(url);
    if (piece?.part !== part) {
      piece?.urls.finish();
      piece = { part, urls: new NodeUrlsWriter(context.scratch, context.ownName(`to-${part}`)) };
    }
    piece.urls.add(url.url);
    sizes[part]!++;
  });
  (piece as { urls: NodeUrlsWriter } | null)?.urls.finish();
  for (const [part, size] of sizes.entries()) {
    if (size === 0) continue;
    await context.putFile(`to-${part}`);
    context.scratch.remove(context.ownName(`to-${part}`));
  }
  return { sizes };
}

export async function numberUrls(context: TaskContext): Promise<RankTaskResult> {
  const pieces = await openPieces(context);
  const tables = pieces.map(({ size }) => new Uint32Array(size));
  const urls = new NodeUrlsWriter(context.scratch, context.ownName('urls'));
  let count = 0;
  let last: CanonicalUrl | null = null;
  for (const { head, list, local } of mergeUrls(pieces.map(({ list }) => list))) {
    if (head.url !== last) {
      urls.add(head.url);
      count++;
    }
    last = head.url;
    tables[list]![local] = count - 1;
  }
  urls.finish();
  for (const { urls } of pieces) urls?.close();
  await context.putFile('urls');
  for (const [part, table] of tables.entries())
    if (table.length > 0) await context.put(`to-${part}`, packArrays([table]));
  return { urls: count };
}

/** Opens the lists of this part's URLs that the pages of each part mention. */
async function openPieces(context: TaskContext) {
  const pieces: { size: number; urls: NodeUrls | null; list: Iterator<LocalUrl> }[] = [];
  for (const [part, { result }] of (await context.results('names')).entries()) {
    const size = (result.sizes as number[])[context.task]!;
    const file = size === 0 ? null : await context.file('names', part, `to-${context.task}`);
    const urls = file === null ? null : new NodeUrls(context.scratch, file);
    pieces.push({ size, urls, list: localUrls(urls ?? []) });
  }
  return pieces;
}

export function* localUrls(urls: Iterable<CanonicalUrl>): Generator<LocalUrl> {
  let last: LocalUrl | null = null;
  for (const url of urls) {
    last = nextLocalUrl(last, url);
    yield last;
  }
}

export async function collectAliases(context: TaskContext): Promise<RankTaskResult> {
  const { task: part } = context;
  const pages = await context.memory.parts.pagesOf(context, part);
  const numbers = await pages.numbers(context, part);
  const results = await context.results('numbers');
  const base = basesOf(results, 'urls')[part]!;
  const isPage = Bitmap.ofSize(Number(results[part]!.result.urls));
  const aliases: number[] = [];
  for (const { url, kind, aliasOf } of pages.merged.records(false)) {
    if (kind === RunKind.page) isPage.add(numbers[url]! - base);
    if (aliasOf >= 0) aliases.push(numbers[url]!, numbers[aliasOf]!);
  }
  await context.put('aliases', packArrays([Uint32Array.from(aliases), isPage.bytes]));
  return { aliases: aliases.length / 2 };
}

export async function resolveDocuments(context: TaskContext): Promise<RankTaskResult> {
  const bases = basesOf(await context.results('numbers'), 'urls');
  const aliases: Alias[] = [];
  const pages: Bitmap[] = [];
  for (let part = 0; part < context.job.parts; part++) {
    const [pairs, isPage] = unpackArrays(await context.get('aliases', part, 'aliases'), 'aliases');
    const numbers = toUint32s(pairs!);
    for (let at = 0; at < numbers.length; at += 2) aliases.push({ url: numbers[at]!, of: numbers[at + 1]! });
    pages.push(new Bitmap(isPage!));
  }
  const map = DocumentMap.resolve(aliases, (url) => {
    const part = partOfNumber(bases, url);
    return pages[part]!.has(url - bases[part]!);
  });
  await context.put('map', packArrays(map.arrays()));
  return { aliases: aliases.length };
}

/** Returns the part of a number. `bases` has the first number of each part; a part may have no numbers. */
export function partOfNumber(bases: readonly number[], number: number): number {
  let [from, to] = [0, bases.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (bases[middle]! <= number) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}
