/**
 * The phases `runs`, `plan` and `split`: the journals become runs, the hosts are divided into parts, and each part gets
 * the records of its URLs.
 *
 * Parts have about the same number of links, counted at their sources and at their targets. A host is never divided,
 * because template links and votes for anchor texts need all its pages.
 */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type LocalUrl, MergedRuns, RunFile, type RunRecord, RunWriter, updateRuns } from '../runs/mod.ts';
import { UintList } from '../tiles/mod.ts';
import type { RankTaskResult } from './rank-job.ts';
import type { TaskContext } from './task-context.ts';

/** The number of weights that a writer sends, approximately. */
const WEIGHTS = 4096;

/**
 * A range of hosts: the common prefix of the sort keys of its first host, and the number of links of the range.
 */
type HostWeight = [key: string, weight: number];

export async function makeRuns(context: TaskContext): Promise<RankTaskResult> {
  const { merged, close } = await openRuns(context);
  try {
    const weights = weighHosts(merged);
    await context.put('weights', zstdCompressSync(JSON.stringify(weights)));
    return { urls: merged.urlCount };
  } finally {
    close();
  }
}

/** Opens the runs of the writer of this task, and makes the runs that are missing. */
async function openRuns({ job, task, scratch, options }: TaskContext) {
  const writer = job.writers[task]!;
  const output = scratch.directory(`runs-${writer}`);
  const names = updateRuns(await options.journalOf(writer), output, writer);
  const runs = names.map((name) => new RunFile(output, name));
  const close = () => {
    for (const run of runs) run.close();
  };
  return { merged: new MergedRuns(runs, () => undefined), close };
}

function weighHosts(merged: MergedRuns): HostWeight[] {
  const linkCounts = new Uint32Array(merged.urlCount);
  let total = merged.urlCount;
  for (const { url, targets } of merged.records(false)) {
    linkCounts[url]! += targets.length;
    for (const target of targets) linkCounts[target]!++;
    total += 2 * targets.length;
  }
  const weights: HostWeight[] = [];
  let host = '';
  let number = 0;
  for (const { key } of merged.urls()) {
    const hostKey = key.slice(0, key.indexOf(' ') + 1);
    const isFull = weights.length === 0 || weights.at(-1)![1] >= total / WEIGHTS;
    if (hostKey !== host && isFull) weights.push([hostKey, 0]);
    host = hostKey;
    weights.at(-1)![1] += 1 + linkCounts[number++]!;
  }
  return weights;
}

export async function planParts(context: TaskContext): Promise<RankTaskResult> {
  const { writers, parts } = context.job;
  const weights: HostWeight[] = [];
  for (const writer of writers.keys()) {
    const bytes = zstdDecompressSync(await context.get('runs', writer, 'weights'));
    weights.push(...(JSON.parse(bytes.toString()) as HostWeight[]));
  }
  const first = firstHosts(weights, parts);
  await context.put('parts', Buffer.from(JSON.stringify(first)));
  return { parts };
}

/** Returns, for each part except the first, the prefix of the sort keys of its first host. */
function firstHosts(weights: HostWeight[], parts: number): string[] {
  weights.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  const first: string[] = [];
  let before = 0;
  for (const [key, weight] of weights) {
    // A range belongs to the part that has the middle of the range.
    while (first.length < parts - 1 && before + weight / 2 > (total * (first.length + 1)) / parts)
      first.push(key);
    before += weight;
  }
  // Parts without hosts come last; no sort key is as large as this.
  while (first.length < parts - 1) first.push('\uffff');
  return first;
}

/** Assigns URLs, which must come in order, to parts. */
export class PartFinder {
  readonly #first: readonly string[];
  #part = 0;

  constructor(first: readonly string[]) {
    this.#first = first;
  }

  static async open(context: TaskContext): Promise<PartFinder> {
    return new PartFinder(JSON.parse((await context.get('plan', 0, 'parts')).toString()) as string[]);
  }

  partOf({ key }: LocalUrl): number {
    while (this.#part < this.#first.length && key >= this.#first[this.#part]!) this.#part++;
    return this.#part;
  }
}

/** Writes a run for each part, with the records of the URLs of the part. */
export async function splitRuns(context: TaskContext): Promise<RankTaskResult> {
  const { merged, close } = await openRuns(context);
  try {
    const parts = partsOfUrls(merged, await PartFinder.open(context), context.job.parts);
    const contents = collectContents(merged, parts, context.job.parts);
    const writers = contents.map(({ urls, recordCount }, part) => {
      const counts = { urlCount: urls.length, recordCount };
      return new RunWriter(context.scratch, context.ownName(`part-${part}`), counts);
    });
    writeUrls(merged, contents, writers);
    writeRecords(merged, parts, contents, writers);
    for (const writer of writers) writer.finish();
    for (const part of writers.keys()) {
      await context.putFile(`part-${part}`);
      context.scratch.remove(context.ownName(`part-${part}`));
    }
    return { records: contents.reduce((sum, { recordCount }) => sum + recordCount, 0) };
  } finally {
    close();
  }
}

/** Returns the number of the first URL of each part, and the end of the last part. */
function partsOfUrls(merged: MergedRuns, finder: PartFinder, parts: number): Uint32Array {
  const starts = new Uint32Array(parts + 1).fill(merged.urlCount);
  let number = 0;
  for (const url of merged.urls()) {
    const part = finder.partOf(url);
    starts[part] = Math.min(starts[part]!, number++);
  }
  for (let part = parts - 1; part >= 0; part--) starts[part] = Math.min(starts[part]!, starts[part + 1]!);
  return starts;
}

interface PartContent {
  /** The URLs in the records of the part, as ascending numbers. */
  urls: Uint32Array;
  recordCount: number;
}

function collectContents(merged: MergedRuns, parts: Uint32Array, partCount: number): PartContent[] {
  const contents = Array.from({ length: partCount }, () => ({ urls: new Uint32Array(0), recordCount: 0 }));
  const isUsed = new Uint8Array(merged.urlCount);
  for (const { part, records } of recordsByPart(merged, parts, false)) {
    const content = contents[part]!;
    for (const { url, aliasOf, targets } of records) {
      content.recordCount++;
      isUsed[url] = 1;
      if (aliasOf >= 0) isUsed[aliasOf] = 1;
      for (const target of targets) isUsed[target] = 1;
    }
    const urls = new UintList();
    isUsed.forEach((used, url) => {
      if (used === 1) urls.push(url);
    });
    content.urls = urls.view().slice();
    isUsed.fill(0);
  }
  return contents;
}

/** Yields the records of each part that has any. The records of a part must be read before the next part. */
function* recordsByPart(
  merged: MergedRuns,
  starts: Uint32Array,
  withTexts: boolean,
): Generator<{ part: number; records: Generator<RunRecord> }> {
  const records = merged.records(withTexts);
  let next = records.next();
  function* until(end: number) {
    for (; !next.done && next.value.url < end; next = records.next()) yield next.value;
  }
  for (let part = 0; part + 1 < starts.length; part++) {
    const end = starts[part + 1]!;
    if (!next.done && next.value.url < end) yield { part, records: until(end) };
  }
}

function writeUrls(
  merged: MergedRuns,
  contents: readonly PartContent[],
  writers: readonly RunWriter[],
): void {
  const next = contents.map(() => 0);
  let number = 0;
  for (const { url } of merged.urls()) {
    contents.forEach(({ urls }, part) => {
      if (urls[next[part]!] !== number) return;
      writers[part]!.addUrl(url);
      next[part]!++;
    });
    number++;
  }
}

function writeRecords(
  merged: MergedRuns,
  parts: Uint32Array,
  contents: readonly PartContent[],
  writers: readonly RunWriter[],
): void {
  const numberIn = new Uint32Array(merged.urlCount);
  for (const { part, records } of recordsByPart(merged, parts, true)) {
    contents[part]!.urls.forEach((url, number) => {
      numberIn[url] = number;
    });
    for (const record of records) {
      writers[part]!.addRecord({
        ...record,
        url: numberIn[record.url]!,
        aliasOf: record.aliasOf < 0 ? -1 : numberIn[record.aliasOf]!,
        targets: record.targets.map((target) => numberIn[target]!),
      });
    }
  }
}
