/** Finds the node of a document, and the host of a node, in the whole graph. */
import { zstdDecompressSync } from 'node:zlib';
import { NO_NODE } from '../web-tables.ts';
import { Bitmap } from './bitmap.ts';
import { firstNodesOf } from './node-tasks.ts';
import { toUint32s, unpackArrays } from './packed-arrays.ts';
import { basesOf } from './rank-job.ts';
import type { TaskContext } from './task-context.ts';
import { partOfNumber } from './url-tasks.ts';

/** The nodes of all documents. It takes two bits per URL. */
export class NodeNumbers {
  readonly #bases: readonly number[];
  readonly #firstNodes: readonly number[];
  readonly #isNode: readonly Bitmap[];
  readonly #isCrawled: readonly Bitmap[];

  constructor(
    bases: readonly number[],
    firstNodes: readonly number[],
    isNode: readonly Bitmap[],
    isCrawled: readonly Bitmap[],
  ) {
    this.#bases = bases;
    this.#firstNodes = firstNodes;
    this.#isNode = isNode;
    this.#isCrawled = isCrawled;
  }

  static async open(context: TaskContext): Promise<NodeNumbers> {
    const isNode: Bitmap[] = [];
    const isCrawled: Bitmap[] = [];
    for (let part = 0; part < context.job.parts; part++) {
      const bytes = zstdDecompressSync(await context.get('nodes', part, 'bits'));
      const [nodes, crawled] = unpackArrays(bytes, 'bits');
      isNode.push(new Bitmap(nodes!));
      isCrawled.push(new Bitmap(crawled!));
    }
    const firstNodes = firstNodesOf(await context.results('nodes'));
    return new NodeNumbers(basesOf(await context.results('numbers'), 'urls'), firstNodes, isNode, isCrawled);
  }

  /** Returns the node of a document; `NO_NODE` if it has none. */
  nodeOf(document: number): number {
    const part = partOfNumber(this.#bases, document);
    const number = document - this.#bases[part]!;
    const isNode = this.#isNode[part]!;
    return isNode.has(number) ? this.#firstNodes[part]! + isNode.rankOf(number) : NO_NODE;
  }

  isCrawled(document: number): boolean {
    const part = partOfNumber(this.#bases, document);
    return this.#isCrawled[part]!.has(document - this.#bases[part]!);
  }

  partOfNode(node: number): number {
    return partOfNumber(this.#firstNodes, node);
  }
}

/** The number of nodes per entry of the index in `HostNumbers`, as a power of two. */
const INDEX_BITS = 8;

export class HostNumbers {
  readonly names: readonly string[];
  /** A number for the registrable domain of each host. */
  readonly domainOf: Uint32Array;
  /** 1 for each host that has a foreign page (see `hostsWithForeignPages`), otherwise 0. */
  readonly isScattered: Uint8Array;
  readonly #firstNodes: Uint32Array;
  /** The host of the first node of each range of 256 nodes. */
  readonly #index: Uint32Array;

  constructor(columns: readonly Buffer[]) {
    const [firstNodes, domainOf, isScattered, names] = columns;
    this.#firstNodes = toUint32s(firstNodes!);
    this.domainOf = toUint32s(domainOf!);
    this.isScattered = isScattered!;
    this.names = this.#firstNodes.length === 0 ? [] : names!.toString().split('\n');
    this.#index = new Uint32Array(((this.#firstNodes.at(-1) ?? 0) >>> INDEX_BITS) + 1);
    let host = 0;
    for (let at = 0; at < this.#index.length; at++) {
      while (this.#firstNodes[host + 1]! <= at << INDEX_BITS) host++;
      this.#index[at] = host;
    }
  }

  static async open(context: TaskContext): Promise<HostNumbers> {
    return new HostNumbers(
      unpackArrays(zstdDecompressSync(await context.get('layout', 0, 'hosts')), 'hosts'),
    );
  }

  hostOf(node: number): number {
    let host = this.#index[Math.min(node >>> INDEX_BITS, this.#index.length - 1)]!;
    while (this.#firstNodes[host + 1]! <= node) host++;
    return host;
  }
}
