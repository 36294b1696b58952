/**
 * A run: the links of some consecutive journal files of one writer, in the order of nodes. A journal file
 * becomes a run when it is first read; when there are many runs, several are merged into one (runs.ts), and the
 * newer record of a URL replaces the older record. `run-main-00000001-00000008.links` has the links of the
 * first eight journal files of the writer `main`.
 *
 *   header   magic GYL1, version u32
 *   counts   frame    number of URLs u32, number of records u32
 *   urls     frame*   all URLs of the run, sorted by `compareLocality`, up to 1024 per frame, joined by newlines
 *   records  (frame frame)*   the records, in the order of their URLs: a frame of numbers, then one of anchor texts
 *   end      frame of length 0
 *   frame    length u32, crc32 u32 of the payload, payload (zstd)
 *
 * The numbers of a record are varints: the URL, as the gap to the URL of the record before (the first counts from 0);
 * the kind; `fetchedAt` and the epoch, which make up the version of the record; for an alias or a page with a canonical
 * URL, the number of that URL + 1, otherwise 0; the number of links; and for each link the number of its target. The
 * anchor texts are one line per link. A URL's number is its index in `urls`.
 *
 * The kinds are 1 page, 2 alias, 3 gone. Example: the first record is a page, URL 2, fetched one second after the
 * beginning of 1970 in epoch 1, with links to the URLs 0 and 5. It is  02 01 E8 07 01 00 02 00 05  and two lines of
 * text, each of which may be empty.
 *
 * Links that do not count (`nofollow` links, and links of pages with a `nofollow` robots rule) are not stored.
 */
import { crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type AppendFile, CorruptError, type FileKind, type RandomFile } from '../../base/mod.ts';
import { type CanonicalUrl, localityKey } from '../../url/mod.ts';

export const RUN_KIND: FileKind = { magic: 'GYL1', version: 2 };
export const URLS_PER_FRAME = 1024;
/** The size in bytes at which a pair of frames, numbers and texts, is written and the next pair begins. */
export const RECORD_FRAME_BYTES = 64 * 1024;

/** The kinds of records. Files on disk contain these numbers, so their meaning must never change. */
export const RunKind = { page: 1, alias: 2, gone: 3 } as const;
export type RunKind = (typeof RunKind)[keyof typeof RunKind];

export interface RunRecord {
  url: number;
  kind: RunKind;
  /** `fetchedAt` and `epoch` are part of the version of the record; the other part is the writer of the run. */
  fetchedAt: number;
  epoch: number;
  /** The number of the URL of which `url` is an alias; -1 if `url` is not an alias. */
  aliasOf: number;
  targets: number[];
  /** The anchor text of each link. Empty if the caller did not request texts. */
  texts: string[];
}

/** Matches the name of a run. Runs of format 1 have no writer in their names. */
const NAME = /^run-(?:([a-z0-9]+)-)?(\d{8,})-(\d{8,})\.links$/;

export interface RunName {
  name: string;
  /** The writer of the journal files; the empty string for a run of format 1. */
  writer: string;
  /** The numbers of the first and the last journal file in the run. */
  first: number;
  last: number;
}

export function runName(writer: string, first: number, last: number): RunName {
  const padded = (file: number) => String(file).padStart(8, '0');
  return { name: `run-${writer}-${padded(first)}-${padded(last)}.links`, writer, first, last };
}

export function parseRunName(name: string): RunName | null {
  const match = NAME.exec(name);
  return match && { name, writer: match[1] ?? '', first: Number(match[2]), last: Number(match[3]) };
}

/**
 * A URL with its sort key. The order is by domain, then host, then path, so that URLs that link to each other
 * are near each other.
 */
export interface LocalUrl {
  url: CanonicalUrl;
  key: string;
}

export function localUrl(url: CanonicalUrl): LocalUrl {
  return { url, key: localityKey(url) };
}

/**
 * Returns the same as `localUrl`, but faster if `url` has the host of `previous`, which is common in a sorted
 * list.
 */
export function nextLocalUrl(previous: LocalUrl | null, url: CanonicalUrl): LocalUrl {
  const pathAt = url.indexOf('/', url.indexOf('//') + 2);
  if (!previous?.url.startsWith(url.slice(0, pathAt + 1))) return localUrl(url);
  const host = previous.key.slice(0, previous.key.indexOf(' '));
  return { url, key: `${host} ${url.slice(pathAt)}` };
}

export function compareLocality(a: LocalUrl, b: LocalUrl): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return a.url < b.url ? -1 : a.url > b.url ? 1 : 0;
}

export function writeFrame(file: AppendFile, content: Uint8Array): void {
  const payload = zstdCompressSync(content);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(payload.length, 0);
  head.writeUInt32LE(crc32(payload), 4);
  file.write(Buffer.concat([head, payload]));
}

/**
 * Reads the frame at `position` and returns it with the offset of the next frame; null after the last frame.
 */
export function readFrame(
  file: RandomFile,
  position: number,
  inflate = true,
): { content: Buffer; next: number } | null {
  const head = file.read(position, 8);
  const length = head.readUInt32LE(0);
  if (length === 0) return null;
  const next = position + 8 + length;
  if (!inflate) return { content: Buffer.alloc(0), next };
  const payload = file.read(position + 8, length);
  const expected = head.readUInt32LE(4);
  if (crc32(payload) !== expected)
    throw new CorruptError(
      file.name,
      position,
      `checksum ${expected.toString(16)}`,
      crc32(payload).toString(16),
    );
  return { content: zstdDecompressSync(payload), next };
}
