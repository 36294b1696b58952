/**
 * Collects anchor texts and writes them by document; anchors-format.ts describes the bytes.
 *
 * Texts arrive in the order of the linking pages and must be grouped by linked document. They are put into
 * buckets of 65,536 documents, whose bytes are spilled to a file, and counted one bucket at a time.
 */
import { crc32 } from 'node:zlib';
import {
  type AppendFile,
  ByteReader,
  ByteWriter,
  type Directory,
  partOf,
  sealHeader,
} from '../../base/mod.ts';
import { sortedByFingerprint } from '../fingerprint-order.ts';
import { RANGE_BITS, tileRangesOf } from '../tiles/mod.ts';
import { AnchorVotes } from './anchor-votes.ts';
import { ANCHORS_KIND, type LinkedText, MAX_TEXT_LENGTH } from './anchors-format.ts';
import { NewTexts } from './new-texts.ts';

const MEMORY_BYTES = 32 * 1024 * 1024;
const WRITE_BYTES = 256 * 1024;

interface AnchorTables {
  /** `lowOf` and `highOf` return the two 32-bit halves of the fingerprint of a document. */
  lowOf(node: number): number;
  highOf(node: number): number;
  voteOf(host: number, node: number): number;
  /** Returns true if links of other hosts were added between the links of the given host. */
  isScattered(host: number): boolean;
}

export class AnchorCollector {
  readonly #directory: Directory;
  readonly #spillName: string;
  readonly #buckets: ByteWriter[];
  readonly #spilled: { position: number; length: number }[][];
  #spill: AppendFile | null = null;
  #bytes = 0;
  readonly #newTexts = new NewTexts();

  constructor(directory: Directory, nodeCount: number) {
    this.#directory = directory;
    this.#spillName = partOf('anchors.spill');
    this.#buckets = Array.from({ length: tileRangesOf(nodeCount) }, () => new ByteWriter());
    this.#spilled = this.#buckets.map(() => []);
  }

  /**
   * Adds the text of a link from a page of `host` to `node`. The pages of a host must come one after the
   * other, unless the host is scattered (`isScattered`).
   */
  add(node: number, host: number, text: string): void {
    if (!this.#newTexts.add(node, host, text)) return;
    const bucket = this.#buckets[node >>> RANGE_BITS]!;
    const before = bucket.length;
    bucket.varint(node);
    bucket.varint(host);
    bucket.text(text.slice(0, MAX_TEXT_LENGTH));
    this.#bytes += bucket.length - before;
    if (this.#bytes > MEMORY_BYTES) this.#flush();
  }

  /** Writes the anchor file and renames it to `name`. Returns the number of documents that have a text. */
  finish(name: string, tables: AnchorTables): number {
    const part = partOf(name);
    const file = this.#directory.append(part, 0);
    try {
      file.write(sealHeader(ANCHORS_KIND));
      const nodes: number[] = [];
      const positions: number[] = [];
      const entries = new ByteWriter(WRITE_BYTES);
      this.#buckets.forEach((_, bucket) => {
        for (const [node, votes] of this.#votesOf(bucket, tables)) {
          nodes.push(node);
          positions.push(file.length + entries.length);
          encodeTexts(entries, votes.best());
          if (entries.length >= WRITE_BYTES) drain(entries, file);
        }
      });
      drain(entries, file);
      writeIndex(file, nodes, positions, tables);
      file.close();
      this.#directory.rename(part, name);
      return nodes.length;
    } finally {
      this.close();
    }
  }

  close(): void {
    this.#spill?.close();
    this.#spill = null;
    this.#directory.remove(this.#spillName);
  }

  #flush(): void {
    this.#spill ??= this.#directory.append(this.#spillName, 0);
    this.#buckets.forEach((bytes, bucket) => {
      if (bytes.length === 0) return;
      this.#spilled[bucket]!.push({ position: this.#spill!.length, length: bytes.length });
      this.#spill!.write(bytes.view());
      bytes.clear();
    });
    this.#bytes = 0;
  }

  #votesOf(bucket: number, tables: AnchorTables): Map<number, AnchorVotes> {
    const votes = new Map<number, AnchorVotes>();
    for (const bytes of this.#bytesOf(bucket)) {
      const reader = new ByteReader(bytes, this.#spillName);
      while (reader.remaining > 0) {
        const node = reader.varint();
        const host = reader.varint();
        const votesForNode = votes.get(node) ?? new AnchorVotes();
        votesForNode.add(reader.text(), host, tables.isScattered(host), tables.voteOf(host, node));
        votes.set(node, votesForNode);
      }
    }
    return votes;
  }

  *#bytesOf(bucket: number): Generator<Buffer> {
    if (this.#spilled[bucket]!.length > 0) {
      const file = this.#directory.open(this.#spillName);
      for (const { position, length } of this.#spilled[bucket]!) yield file.read(position, length);
      file.close();
    }
    yield this.#buckets[bucket]!.view();
  }
}

function drain(entries: ByteWriter, file: AppendFile): void {
  file.write(entries.view());
  entries.clear();
}

function encodeTexts(writer: ByteWriter, texts: readonly LinkedText[]): void {
  const start = writer.length;
  writer.varint(texts.length);
  for (const { text, weight } of texts) {
    writer.f32(weight);
    writer.text(text);
  }
  writer.u32(crc32(writer.view().subarray(start)));
}

function writeIndex(file: AppendFile, nodes: number[], positions: number[], tables: AnchorTables): void {
  const lows = Uint32Array.from(nodes, (node) => tables.lowOf(node));
  const highs = Uint32Array.from(nodes, (node) => tables.highOf(node));
  const order = sortedByFingerprint(lows, highs);
  const index = new ByteWriter(nodes.length * 16 + 8);
  for (const at of order) {
    index.u32(lows[at]!);
    index.u32(highs[at]!);
  }
  for (const at of order) index.f64(positions[at]!);
  index.u32(nodes.length);
  index.u32(crc32(index.view()));
  file.write(index.view());
}
