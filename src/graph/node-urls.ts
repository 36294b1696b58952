/**
 * A file with the URL of each node; for a crawled page, the URL under which it was crawled. It is called
 * `nodes-00000001.urls` and has the number of the ranks with which it was made.
 *
 *   header     magic GYN1, version u32
 *   frames     as in runs: up to 1024 URLs each, joined by newlines
 *   positions  f64 × frames
 *   frames     u32
 *   checksum   u32   CRC-32 of positions and `frames`; each frame has its own checksum
 *
 * Example: up to 1024 nodes fit into one frame at byte 8. Its position is  00 00 00 00 00 00 20 40, and
 * `frames` is  01 00 00 00.
 */
import { crc32 } from 'node:zlib';
import {
  type AppendFile,
  ByteWriter,
  CorruptError,
  checkSealHeader,
  type Directory,
  type FileKind,
  partOf,
  type RandomFile,
  SEAL_HEADER_BYTES,
  sealHeader,
} from '../base/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import { readFrame, URLS_PER_FRAME, writeFrame } from './runs/mod.ts';

const KIND: FileKind = { magic: 'GYN1', version: 1 };

export function nodeUrlsName(generation: number): string {
  return `nodes-${String(generation).padStart(8, '0')}.urls`;
}

export function writeNodeUrls(directory: Directory, name: string, urls: Iterable<CanonicalUrl>): void {
  const writer = new NodeUrlsWriter(directory, name);
  for (const url of urls) writer.add(url);
  writer.finish();
}

export class NodeUrlsWriter {
  readonly #directory: Directory;
  readonly #name: string;
  readonly #file: AppendFile;
  readonly #index = new ByteWriter();
  #frames = 0;
  #lines: string[] = [];

  constructor(directory: Directory, name: string) {
    this.#directory = directory;
    this.#name = name;
    this.#file = directory.append(partOf(name), 0);
    this.#file.write(sealHeader(KIND));
  }

  add(url: CanonicalUrl): void {
    if (this.#lines.push(url) === URLS_PER_FRAME) this.#flush();
  }

  /** Writes the rest of the file and renames it, so that the file is complete or absent. */
  finish(): void {
    if (this.#lines.length > 0) this.#flush();
    this.#index.u32(this.#frames);
    this.#index.u32(crc32(this.#index.view()));
    this.#file.write(this.#index.view());
    this.#file.close();
    this.#directory.rename(partOf(this.#name), this.#name);
  }

  #flush(): void {
    this.#index.f64(this.#file.length);
    writeFrame(this.#file, Buffer.from(this.#lines.join('\n')));
    this.#frames++;
    this.#lines = [];
  }
}

export class NodeUrls {
  readonly #file: RandomFile;
  readonly #positions: Float64Array;
  /**
   * The number of the frame that was read last. It is kept because lookups are often for neighbouring nodes.
   */
  #frame = -1;
  #urls: CanonicalUrl[] = [];

  constructor(directory: Directory, name: string) {
    this.#file = directory.open(name);
    const { size } = this.#file;
    if (size < SEAL_HEADER_BYTES + 8) throw new CorruptError(name, size, 'a trailer', 'the end');
    checkSealHeader(this.#file.read(0, SEAL_HEADER_BYTES), KIND, name);
    const frames = this.#file.read(size - 8, 4).readUInt32LE(0);
    const indexAt = size - 8 - frames * 8;
    if (indexAt < SEAL_HEADER_BYTES) throw new CorruptError(name, size, `${frames} frames`, 'the end');
    const index = this.#file.read(indexAt, size - indexAt);
    const actual = crc32(index.subarray(0, -4));
    const expected = index.readUInt32LE(index.length - 4);
    if (actual !== expected)
      throw new CorruptError(name, size - 4, `checksum ${expected.toString(16)}`, actual.toString(16));
    this.#positions = new Float64Array(frames);
    new Uint8Array(this.#positions.buffer).set(index.subarray(0, frames * 8));
  }

  /** Yields the URLs of all nodes in order. */
  *[Symbol.iterator](): Generator<CanonicalUrl> {
    for (let frame = 0; frame < this.#positions.length; frame++) {
      this.#read(frame);
      yield* this.#urls;
    }
  }

  urlOf(node: number): CanonicalUrl {
    const frame = Math.floor(node / URLS_PER_FRAME);
    this.#read(frame);
    return this.#urls[node % URLS_PER_FRAME]!;
  }

  close(): void {
    this.#file.close();
  }

  #read(frame: number): void {
    if (frame === this.#frame) return;
    const position = this.#positions[frame]!;
    const read = readFrame(this.#file, position);
    if (!read) throw new CorruptError(this.#file.name, position, 'a frame', 'the end of frames');
    this.#urls = read.content.toString().split('\n') as CanonicalUrl[];
    this.#frame = frame;
  }
}
