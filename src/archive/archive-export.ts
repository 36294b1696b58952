/**
 * Exports an archive as a stream of bytes: as one WARC file, as one CDXJ file, or as WACZ, a ZIP file with both
 * and a list of pages, for web archive players.
 *
 * All exports end at the last commit, so a crawl may continue during the export.
 */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Directory, Heap, partOf, ZipWriter } from '../base/mod.ts';
import { type ArchiveFile, archiveFiles } from './archive-files.ts';
import { decodeCdx, sortCdx } from './cdx/mod.ts';
import {
  cdxNameOf,
  compressRecord,
  detectCompression,
  readMembers,
  type WarcCompression,
  type WarcMark,
} from './warc/mod.ts';

const CHUNK = 1024 * 1024;

/**
 * Exports all records as one WARC file. Files that have another compression than the requested one are
 * compressed again.
 */
export function* exportWarc(
  directory: Directory,
  end: WarcMark,
  compression: WarcCompression,
): Generator<Uint8Array> {
  for (const { stored, end: length } of archiveFiles(directory, end)) {
    const file = directory.open(stored);
    try {
      const present = detectCompression(file);
      if (present === compression) yield* bytesOf(directory, stored, length);
      else if (present !== 'none') {
        for (const member of readMembers(file, present, { end: length })) {
          if (member.kind === 'member') yield Buffer.from(compressRecord(member.bytes, compression));
        }
      }
    } finally {
      file.close();
    }
  }
}

/** Exports the CDXJ lines of all files, merged into one sorted list. */
export function* exportCdx(directory: Directory, end: WarcMark): Generator<Uint8Array> {
  const lists = [...archiveFiles(directory, end)].map((file) => cdxLines(directory, file));
  yield* mergeSorted(lists);
}

interface WaczPage {
  url: string;
  fetchedAt: number;
  title: string;
}

interface WaczOptions {
  directory: Directory;
  end: WarcMark;
  pages: Iterable<WaczPage>;
  software: string;
  now: number;
  write(bytes: Uint8Array): Promise<void>;
}

export async function exportWacz({ directory, end, ...options }: WaczOptions): Promise<void> {
  const files = [...archiveFiles(directory, end)].map(({ stored, name, end: length }) => ({
    name,
    content: () => bytesOf(directory, stored, length),
  }));
  const cdx = Buffer.concat([...exportCdx(directory, end)]);
  await writeWacz({ ...options, files, cdx });
}

interface WaczContent extends Pick<WaczOptions, 'pages' | 'software' | 'now' | 'write'> {
  /** The WARC files. */
  files: readonly { name: string; content(): Iterable<Uint8Array> }[];
  /** The CDXJ lines of these files, sorted. */
  cdx: Buffer;
}

export async function writeWacz({ files, cdx, software, ...options }: WaczContent): Promise<void> {
  const zip = new ZipWriter(options.write);
  const resources: WaczResource[] = [];
  const add = async (path: string, content: () => Iterable<Uint8Array>) => {
    const resource = measure(path, content());
    resources.push(resource);
    await zip.add({ name: path, size: resource.bytes, crc32: resource.crc32 }, content());
  };
  for (const { name, content } of files) await add(`archive/${name}`, content);
  await add('indexes/index.cdxj', () => [cdx]);
  const pages = Buffer.concat([...pageLines(options.pages)]);
  await add('pages/pages.jsonl', () => [pages]);
  const description = Buffer.from(describeWacz(resources, software, options.now));
  await add('datapackage.json', () => [description]);
  const digest = JSON.stringify({ path: 'datapackage.json', hash: resources.at(-1)!.hash });
  await add('datapackage-digest.json', () => [Buffer.from(digest)]);
  await zip.end();
}

interface WaczResource {
  path: string;
  bytes: number;
  crc32: number;
  hash: string;
}

function measure(path: string, content: Iterable<Uint8Array>): WaczResource {
  const hash = createHash('sha256');
  let bytes = 0;
  let checksum = 0;
  for (const part of content) {
    hash.update(part);
    checksum = crc32(part, checksum);
    bytes += part.length;
  }
  return { path, bytes, crc32: checksum, hash: `sha256:${hash.digest('hex')}` };
}

function describeWacz(resources: readonly WaczResource[], software: string, now: number): string {
  const date = new Date(now).toISOString();
  const listed = resources.map(({ path, bytes, hash }) => ({
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    hash,
    bytes,
  }));
  const head = { profile: 'data-package', wacz_version: '1.1.1', software, created: date };
  return `${JSON.stringify({ ...head, resources: listed }, null, 2)}\n`;
}

function* pageLines(pages: Iterable<WaczPage>): Generator<Buffer> {
  const head = { format: 'json-pages-1.0', id: 'pages', title: 'All Pages', hasText: false };
  yield Buffer.from(`${JSON.stringify(head)}\n`);
  for (const { url, fetchedAt, title } of pages) {
    yield Buffer.from(`${JSON.stringify({ url, ts: new Date(fetchedAt).toISOString(), title })}\n`);
  }
}

function* bytesOf(directory: Directory, name: string, length: number): Generator<Buffer> {
  const file = directory.open(name);
  try {
    for (let at = 0; at < length; at += CHUNK) yield file.read(at, Math.min(CHUNK, length - at));
  } finally {
    file.close();
  }
}

/**
 * Yields the CDXJ lines of a WARC file in sorted order, without line ends. The lines of a file that still
 * grows are not sorted on disk and are sorted here.
 */
function* cdxLines(directory: Directory, { name, end }: ArchiveFile): Generator<string> {
  const cdx = cdxNameOf(name);
  if (directory.has(cdx)) return yield* linesOf(bytesOf(directory, cdx, directory.sizeOf(cdx)));
  if (!directory.has(partOf(cdx))) return;
  const lines = directory.read(partOf(cdx)).toString().split('\n');
  const valid = lines.filter((line) => {
    const entry = decodeCdx(line);
    return entry !== null && entry.offset + entry.length <= end;
  });
  yield* linesOf([sortCdx(valid)]);
}

function* linesOf(chunks: Iterable<Buffer>): Generator<string> {
  let rest = Buffer.alloc(0);
  for (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, at)) {
      yield bytes.toString('utf8', at, end);
      at = end + 1;
    }
    rest = Buffer.from(bytes.subarray(at));
  }
}

function* mergeSorted(lists: readonly Generator<string>[]): Generator<Buffer> {
  const heap = new Heap<{ line: string; list: Generator<string> }>((a, b) => a.line < b.line);
  for (const list of lists) {
    const { value, done } = list.next();
    if (!done) heap.push({ line: value, list });
  }
  for (let top = heap.peek(); top; top = heap.peek()) {
    yield Buffer.from(`${top.line}\n`);
    const { value, done } = top.list.next();
    if (done) heap.pop();
    else heap.replaceTop({ line: value, list: top.list });
  }
}
