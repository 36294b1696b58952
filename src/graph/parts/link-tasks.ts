/**
 * The phases `links` and `tiles`: the links of the pages of each part go to the parts of their targets, which sort them
 * into tiles. The last task of `tiles` ranks the hosts.
 */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { ByteWriter } from '../../base/mod.ts';
import { NewTexts } from '../anchors/mod.ts';
import { drawLinks, type LinkSinks } from '../draw-links.ts';
import { hostsName, writeHosts } from '../hosts/mod.ts';
import { rankHosts } from '../rank-hosts.ts';
import { LINK_WEIGHTS } from '../template-links.ts';
import { GraphBuilder, GraphFile, RANGE_NODES, UintList } from '../tiles/mod.ts';
import { HostNumbers, NodeNumbers } from './node-numbers.ts';
import { columnCountOf, firstNodesOf } from './node-tasks.ts';
import { packArrays, toFloat32s, toUint32s, unpackArrays } from './packed-arrays.ts';
import type { RankTaskResult } from './rank-job.ts';
import type { TaskContext } from './task-context.ts';

/** The number of links after which a task writes them to its scratch directory. */
const LINKS_AT_ONCE = 8 * 1024 * 1024;

export async function exchangeLinks(context: TaskContext): Promise<RankTaskResult> {
  const pages = await context.memory.parts.pagesOf(context, context.task);
  const { documents, isRepresentative } = await pages.documents(context, context.task);
  const nodes = await NodeNumbers.open(context);
  const hosts = await HostNumbers.open(context);
  const outbox = new Outbox(context, nodes);
  const tables = {
    nodeOf: documents.map((document) => nodes.nodeOf(document)),
    isRepresentative,
    siteOf: pages.siteOf,
    hostOf: (node: number) => hosts.hostOf(node),
    domainOf: hosts.domainOf,
  };
  drawLinks(pages.merged.records(true), tables, outbox);
  context.memory.parts.forget(context.task);
  return await outbox.finish();
}

/** The links to the pages of one part. */
interface LinksToPart {
  /** The links of each kind, as numbers: source and target alternate. */
  pairs: UintList[];
  /** The nodes of the part whose links were read, and the sums of the weights of their links. */
  sources: UintList;
  weights: number[];
  /** The anchor texts: node, host, text. */
  anchors: ByteWriter;
}

class Outbox implements LinkSinks {
  readonly #context: TaskContext;
  readonly #nodes: NodeNumbers;
  #parts: LinksToPart[];
  #linkCount = 0;
  #chunks = 0;
  readonly #newTexts = new NewTexts();
  readonly #hostLinks = new HostLinkPairs();
  #source = -1;
  #weight = 0;

  constructor(context: TaskContext, nodes: NodeNumbers) {
    this.#context = context;
    this.#nodes = nodes;
    this.#parts = emptyParts(context.job.parts);
  }

  addLink(source: number, target: number, kind: number): void {
    if (source !== this.#source) this.#endSource();
    this.#source = source;
    this.#weight += LINK_WEIGHTS[kind]!;
    const pairs = this.#parts[this.#nodes.partOfNode(target)]!.pairs[kind]!;
    pairs.push(source);
    pairs.push(target);
    this.#linkCount++;
    if (this.#linkCount % LINKS_AT_ONCE === 0) this.#write();
  }

  addHostLink(source: number, target: number): void {
    this.#hostLinks.add(source, target);
  }

  addAnchor(node: number, host: number, text: string): void {
    if (!this.#newTexts.add(node, host, text)) return;
    const { anchors } = this.#parts[this.#nodes.partOfNode(node)]!;
    anchors.varint(node);
    anchors.varint(host);
    anchors.text(text);
  }

  async finish(): Promise<RankTaskResult> {
    this.#endSource();
    this.#write();
    for (const part of this.#parts.keys()) {
      for (let chunk = 0; chunk < this.#chunks; chunk++) {
        await this.#context.putFile(`to-${part}-${chunk}`);
        this.#context.scratch.remove(this.#context.ownName(`to-${part}-${chunk}`));
      }
    }
    await this.#context.put('hosts', packArrays([this.#hostLinks.pairs()]));
    return { links: this.#linkCount, chunks: this.#chunks };
  }

  #endSource(): void {
    if (this.#source < 0) return;
    const { sources, weights } = this.#parts[this.#nodes.partOfNode(this.#source)]!;
    sources.push(this.#source);
    weights.push(this.#weight);
    this.#weight = 0;
  }

  #write(): void {
    this.#parts.forEach(({ pairs, sources, weights, anchors }, part) => {
      const texts = zstdCompressSync(anchors.view());
      const columns = [
        ...pairs.map((each) => each.view()),
        sources.view(),
        Float32Array.from(weights),
        texts,
      ];
      this.#context.write(this.#context.ownName(`to-${part}-${this.#chunks}`), packArrays(columns));
    });
    this.#parts = emptyParts(this.#parts.length);
    this.#chunks++;
  }
}

function emptyParts(count: number): LinksToPart[] {
  return Array.from({ length: count }, () => ({
    pairs: LINK_WEIGHTS.map(() => new UintList()),
    sources: new UintList(),
    weights: [],
    anchors: new ByteWriter(),
  }));
}

/** The distinct links between hosts. Links of one source must be added one after the other. */
class HostLinkPairs {
  readonly #pairs = new UintList();
  readonly #targets = new Set<number>();
  #source = -1;

  add(source: number, target: number): void {
    if (source !== this.#source) this.#targets.clear();
    this.#source = source;
    if (source === target || this.#targets.has(target)) return;
    this.#targets.add(target);
    this.#pairs.push(source);
    this.#pairs.push(target);
  }

  pairs(): Uint32Array {
    return this.#pairs.view();
  }
}

interface ReceivedLinks {
  pairs: Uint32Array[];
  sources: Uint32Array;
  weights: Float32Array;
  anchors: Buffer;
}

/** Yields the links to a part, in the order of the parts that sent them. */
export async function* receiveLinks(context: TaskContext, part: number): AsyncGenerator<ReceivedLinks> {
  for (const [from, { result }] of (await context.results('links')).entries()) {
    for (let chunk = 0; chunk < Number(result.chunks); chunk++) {
      const arrays = unpackArrays(await context.get('links', from, `to-${part}-${chunk}`), 'links');
      const [sources, weights, texts] = arrays.slice(LINK_WEIGHTS.length);
      yield {
        pairs: arrays.slice(0, LINK_WEIGHTS.length).map(toUint32s),
        sources: toUint32s(sources!),
        weights: toFloat32s(weights!),
        anchors: zstdDecompressSync(texts!),
      };
    }
  }
}

export async function buildTiles(context: TaskContext): Promise<RankTaskResult> {
  if (context.task === context.job.parts) return await rankAllHosts(context);
  const results = await context.results('nodes');
  const nodeCount = Number(results[context.task]!.result.nodes);
  const firstNode = firstNodesOf(results)[context.task]!;
  const outWeights = new Float32Array(nodeCount);
  const builder = new GraphBuilder(context.scratch, context.ownName('graph'), {
    ...{ nodeCount, weights: LINK_WEIGHTS, outWeights },
    part: { firstColumn: firstNode / RANGE_NODES, blocks: columnCountOf(results) },
  });
  for await (const { pairs, sources, weights } of receiveLinks(context, context.task)) {
    pairs.forEach((each, kind) => {
      for (let at = 0; at < each.length; at += 2) builder.add(each[at]!, each[at + 1]!, kind);
    });
    sources.forEach((source, at) => {
      outWeights[source - firstNode]! += weights[at]!;
    });
  }
  const { edgeCount } = builder.finish();
  await context.putFile('graph');
  return { edges: edgeCount };
}

async function rankAllHosts(context: TaskContext): Promise<RankTaskResult> {
  const { names, domainOf } = await HostNumbers.open(context);
  const { generation, parts } = context.job;
  const name = context.ownName('graph');
  const builder = new GraphBuilder(context.scratch, name, { nodeCount: names.length });
  for (let part = 0; part < parts; part++) {
    const [pairs] = unpackArrays(await context.get('links', part, 'hosts'), 'hosts');
    const numbers = toUint32s(pairs!);
    for (let at = 0; at < numbers.length; at += 2) builder.add(numbers[at]!, numbers[at + 1]!);
  }
  builder.finish();
  const graph = new GraphFile(context.scratch, name);
  const { damping, maxIterations } = context.options;
  const options = {
    ...(damping !== undefined && { damping }),
    ...(maxIterations !== undefined && { maxIterations }),
  };
  const rows = rankHosts(graph, domainOf, null, options);
  graph.close();
  await context.putFile('graph');
  writeHosts(context.scratch, generation, names, rows);
  await context.put('hosts', context.scratch.read(hostsName(generation)));
  const columns = [Float64Array.from(rows, ({ rank }) => rank), Float64Array.from(rows, ({ farm }) => farm)];
  await context.put('votes', packArrays(columns));
  return { edges: 0 };
}
