/**
 * The phases `mark`, `nodes` and `layout`: the documents that were crawled or are linked to become nodes.
 *
 * The nodes of a part begin at a multiple of 65,536, so that a part has whole columns of the graph. The numbers
 * between the last node of a part and the first node of the next part are not used.
 */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type CanonicalUrl, hostOf, registrableDomain } from '../../url/mod.ts';
import { NodeUrls, NodeUrlsWriter } from '../node-urls.ts';
import { RANGE_NODES, tileRangesOf, UintList } from '../tiles/mod.ts';
import { Bitmap } from './bitmap.ts';
import { packArrays, toUint32s, unpackArrays } from './packed-arrays.ts';
import { basesOf, type FinishedTask, type RankTaskResult } from './rank-job.ts';
import type { TaskContext } from './task-context.ts';
import { localUrls, partOfNumber } from './url-tasks.ts';

/** The nodes of one part that the pages of another part have marked. */
interface Marks {
  isNode: Bitmap;
  isCrawled: Bitmap;
  /** The URL under which the page of a document was crawled, if it is not the URL of the document. */
  crawledAs: Map<number, CanonicalUrl>;
}

export async function markNodes(context: TaskContext): Promise<RankTaskResult> {
  const results = await context.results('numbers');
  const bases = basesOf(results, 'urls');
  const marks = results.map(({ result }): Marks => {
    const limit = Number(result.urls);
    return { isNode: Bitmap.ofSize(limit), isCrawled: Bitmap.ofSize(limit), crawledAs: new Map() };
  });
  const isMarked = marks.map(() => 0);
  const mark = (document: number) => {
    const part = partOfNumber(bases, document);
    const number = document - bases[part]!;
    marks[part]!.isNode.add(number);
    isMarked[part] = 1;
    return { marks: marks[part]!, number };
  };
  const pages = await context.memory.parts.pagesOf(context, context.task);
  const numbers = await pages.numbers(context, context.task);
  const { documents, isRepresentative } = await pages.documents(context, context.task);
  const standIns = new Map<number, number>();
  for (const { url, targets } of pages.merged.records(false)) {
    if (isRepresentative[url] === 0) continue;
    const page = mark(documents[url]!);
    page.marks.isCrawled.add(page.number);
    if (documents[url] !== numbers[url]) standIns.set(url, documents[url]!);
    for (const target of targets) mark(documents[target]!);
  }
  let number = 0;
  for (const { url } of standIns.size > 0 ? pages.merged.urls() : []) {
    const document = standIns.get(number++);
    if (document === undefined) continue;
    const page = mark(document);
    page.marks.crawledAs.set(page.number, url);
  }
  for (const [part, each] of marks.entries())
    if (isMarked[part] === 1) await context.put(`to-${part}`, zstdCompressSync(packMarks(each)));
  return { isMarked };
}

function packMarks({ isNode, isCrawled, crawledAs }: Marks): Buffer {
  const names = Buffer.from(JSON.stringify([...crawledAs]));
  return packArrays([isNode.bytes, isCrawled.bytes, names]);
}

export async function listNodes(context: TaskContext): Promise<RankTaskResult> {
  const { isNode, isCrawled, crawledAs } = await mergeMarks(context);
  const urls = new NodeUrls(context.scratch, await context.file('numbers', context.task, 'urls'));
  const names = new NodeUrlsWriter(context.scratch, context.ownName('nodes'));
  const hosts: string[] = [];
  const firstNodes = new UintList();
  const isScattered: number[] = [];
  const counts = { nodes: 0, crawled: 0 };
  let number = -1;
  let hostKey = '';
  for (const { url, key } of localUrls(urls)) {
    if (!isNode.has(++number)) continue;
    const thisKey = key.slice(0, key.indexOf(' '));
    if (hosts.length === 0 || thisKey !== hostKey) {
      hosts.push(hostOf(url));
      firstNodes.push(counts.nodes);
      isScattered.push(0);
    }
    hostKey = thisKey;
    const crawledUrl = crawledAs.get(number) ?? url;
    if (hostOf(crawledUrl) !== hosts.at(-1)) isScattered[hosts.length - 1] = 1;
    names.add(crawledUrl);
    counts.nodes++;
    if (isCrawled.has(number)) counts.crawled++;
  }
  urls.close();
  names.finish();
  await context.putFile('nodes');
  await context.put('bits', zstdCompressSync(packArrays([isNode.bytes, isCrawled.bytes])));
  const columns = [Buffer.from(hosts.join('\n')), firstNodes.view(), Uint8Array.from(isScattered)];
  await context.put('hosts', zstdCompressSync(packArrays(columns)));
  return { ...counts, hosts: hosts.length };
}

async function mergeMarks(context: TaskContext): Promise<Marks> {
  const limit = Number((await context.results('numbers'))[context.task]!.result.urls);
  const merged: Marks = {
    isNode: Bitmap.ofSize(limit),
    isCrawled: Bitmap.ofSize(limit),
    crawledAs: new Map(),
  };
  for (const [part, { result }] of (await context.results('mark')).entries()) {
    if ((result.isMarked as number[])[context.task] === 0) continue;
    const blob = zstdDecompressSync(await context.get('mark', part, `to-${context.task}`));
    const [isNode, isCrawled, names] = unpackArrays(blob, 'marks');
    merged.isNode.addAll(new Bitmap(isNode!));
    merged.isCrawled.addAll(new Bitmap(isCrawled!));
    for (const [number, url] of JSON.parse(names!.toString()) as [number, CanonicalUrl][])
      merged.crawledAs.set(number, url);
  }
  return merged;
}

/** Combines the hosts of all parts, and numbers their domains. */
export async function layOutHosts(context: TaskContext): Promise<RankTaskResult> {
  const firsts = firstNodesOf(await context.results('nodes'));
  const firstNodes = new UintList();
  const domainOf = new UintList();
  const isScattered: number[] = [];
  const names: string[] = [];
  const domains = new Map<string, number>();
  for (const [part, first] of firsts.entries()) {
    const [lines, starts, scattered] = unpackArrays(
      zstdDecompressSync(await context.get('nodes', part, 'hosts')),
      'hosts',
    );
    if (starts!.length === 0) continue;
    for (const name of lines!.toString().split('\n')) {
      const domain = registrableDomain(name);
      if (!domains.has(domain)) domains.set(domain, domains.size);
      domainOf.push(domains.get(domain)!);
      names.push(name);
    }
    for (const start of toUint32s(starts!)) firstNodes.push(first + start);
    for (const flag of scattered!) isScattered.push(flag);
  }
  const columns = [
    firstNodes.view(),
    domainOf.view(),
    Uint8Array.from(isScattered),
    Buffer.from(names.join('\n')),
  ];
  await context.put('hosts', zstdCompressSync(packArrays(columns)));
  return { hosts: names.length };
}

/** Returns the first node of each part, from the results of the phase `nodes`. */
export function firstNodesOf(results: readonly FinishedTask[]): number[] {
  let columns = 0;
  return results.map(({ result }) => {
    const first = columns * RANGE_NODES;
    columns += tileRangesOf(Number(result.nodes));
    return first;
  });
}

/** Returns the number of columns of the whole graph. */
export function columnCountOf(results: readonly FinishedTask[]): number {
  return results.reduce((sum, { result }) => sum + tileRangesOf(Number(result.nodes)), 0);
}
