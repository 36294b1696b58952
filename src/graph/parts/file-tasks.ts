/**
 * The phases `files` and `finish`: the result is written in the formats of a ranking on one node, and all blobs that are
 * not part of it are removed. A part has files of its own for ranks, anchors, URLs and links; the hosts have one file.
 */
import { ByteReader } from '../../base/mod.ts';
import { fingerprint } from '../../url/mod.ts';
import { AnchorCollector, anchorsName, voteWeight } from '../anchors/mod.ts';
import { NodeUrls } from '../node-urls.ts';
import { ranksName } from '../ranks-format.ts';
import { writeRanks } from '../ranks-writer.ts';
import { RANGE_NODES } from '../tiles/mod.ts';
import { NO_NODE } from '../web-tables.ts';
import { DocumentMap } from './document-map.ts';
import { receiveLinks } from './link-tasks.ts';
import { HostNumbers, NodeNumbers } from './node-numbers.ts';
import { columnCountOf, firstNodesOf } from './node-tasks.ts';
import { toFloat64s, unpackArrays } from './packed-arrays.ts';
import { basesOf, type FinishedTask, type RankTaskResult } from './rank-job.ts';
import { namesOfRanking } from './ranked-files.ts';
import { readSlice } from './step-tasks.ts';
import type { TaskContext } from './task-context.ts';

export async function writeFiles(context: TaskContext): Promise<RankTaskResult> {
  context.memory.engines.clear();
  const urls = await writePartRanks(context);
  const anchored = await writePartAnchors(context);
  return { urls, anchored };
}

/** Writes the ranks of the URLs of this part. The document of an alias can be in another part. */
async function writePartRanks(context: TaskContext): Promise<number> {
  const { task: part, scratch, job } = context;
  const ranks = await readAllRanks(context);
  const nodes = await NodeNumbers.open(context);
  const { lows, highs } = await readFingerprints(context, 'numbers', 'urls');
  const base = basesOf(await context.results('numbers'), 'urls')[part]!;
  const documents = (await DocumentMap.open(context)).documentsOf(lows.map((_, number) => base + number));
  const nodeOf = documents.map((document) => nodes.nodeOf(document));
  const crawled = new Uint8Array(ranks.length);
  documents.forEach((document, number) => {
    if (nodeOf[number] !== NO_NODE) crawled[nodeOf[number]!] = Number(nodes.isCrawled(document));
  });
  writeRanks(scratch, job.generation, { lows, highs, nodeOf, ranks, crawled });
  await context.put('ranks', scratch.read(ranksName(job.generation)));
  return lows.length;
}

async function readAllRanks(context: TaskContext): Promise<Float32Array> {
  const results = await context.results('nodes');
  const ranks = new Float32Array(columnCountOf(results) * RANGE_NODES);
  for (const [part, first] of firstNodesOf(results).entries())
    ranks.set(await readSlice(context, await lastStep(context), part, 'ranks'), first);
  return ranks;
}

/** Returns the name of the phase of the last PageRank iteration. */
async function lastStep(context: TaskContext): Promise<string> {
  return `step-${await context.options.board.stepCount()}`;
}

/** Reads the URLs in a blob of this part, and returns the two 32-bit halves of the fingerprint of each. */
async function readFingerprints(
  context: TaskContext,
  phase: string,
  label: string,
): Promise<{ lows: Uint32Array; highs: Uint32Array }> {
  const count = Number((await context.results(phase))[context.task]!.result[label]);
  const [lows, highs] = [new Uint32Array(count), new Uint32Array(count)];
  const urls = new NodeUrls(context.scratch, await context.file(phase, context.task, label));
  let at = 0;
  for (const url of urls) {
    const bits = fingerprint(url);
    lows[at] = Number(BigInt.asUintN(32, bits));
    highs[at++] = Number(BigInt.asUintN(32, bits >> 32n));
  }
  urls.close();
  return { lows, highs };
}

async function writePartAnchors(context: TaskContext): Promise<number> {
  const { task: part, scratch, job } = context;
  const results = await context.results('nodes');
  const firstNode = firstNodesOf(results)[part]!;
  const hosts = await HostNumbers.open(context);
  const votes = unpackArrays(await context.get('tiles', job.parts, 'votes'), 'votes');
  const [rankOf, farmOf] = votes.map(toFloat64s);
  const { lows, highs } = await readFingerprints(context, 'nodes', 'nodes');
  const collector = new AnchorCollector(scratch, Number(results[part]!.result.nodes));
  for await (const { anchors } of receiveLinks(context, part)) {
    const reader = new ByteReader(anchors, 'anchors');
    while (reader.remaining > 0) collector.add(reader.varint() - firstNode, reader.varint(), reader.text());
  }
  const { domainOf, isScattered, names } = hosts;
  const count = collector.finish(anchorsName(job.generation), {
    isScattered: (host) => isScattered[host] === 1,
    lowOf: (node) => lows[node]!,
    highOf: (node) => highs[node]!,
    voteOf: (host, node) => {
      const isOwnDomain = domainOf[host] === domainOf[hosts.hostOf(firstNode + node)];
      return voteWeight({ rank: rankOf![host]!, farm: farmOf![host]! }, names.length, isOwnDomain);
    },
  });
  await context.put('anchors', scratch.read(anchorsName(job.generation)));
  return count;
}

/** Removes the blobs of this job that are not part of the result. */
export async function removeOthers(context: TaskContext): Promise<RankTaskResult> {
  const { blobs } = context.options;
  const results: Record<string, FinishedTask[]> = {};
  for (const phase of ['nodes', 'tiles', 'files']) results[phase] = await context.results(phase);
  const kept = new Set(namesOfRanking(context.job, results));
  let removed = 0;
  for (const name of await blobs.list(`${context.job.name}.`)) {
    if (kept.has(name)) continue;
    await blobs.delete(name);
    removed++;
  }
  return { removed };
}
