/**
 * A run: what some consecutive journal files say about links, in the order of nodes. A journal file becomes
 * a run when it is first seen; several runs become one when there are many (runs.ts), and a later record
 * of a URL replaces an earlier one. `run-00000001-00000008.links` stands for those eight journal files.
 *
 *   header   magic GYL1, version u32
 *   counts   frame    how many URLs u32, how many records u32
 *   urls     frame*   every URL named here, sorted by `compareLocality`, up to 1024 a frame, joined by newlines
 *   records  (frame frame)*   of URLs that have one, in the same order: numbers, then anchor texts
 *   end      frame of length 0
 *   frame    length u32, crc32 u32 of the payload, payload (zstd)
 *
 * Numbers of a record are varints: the URL as the gap to the last record's (the first from 0), its kind,
 * for an alias or a page with a canonical URL that URL's number + 1 (0: none), the count of links, and for
 * each the number of its target. Its texts are as many lines. A URL's number is its place in `urls`.
 *
 * Kinds are 1 a page, 2 an alias, 3 gone. The first record, a page that is URL 2, with links to 0 and 5, is  02 01 00 02 00 05
 * and two lines of texts, either of which may be empty.
 *
 * Links that do not count (nofollow, pages that ask not to be followed) are not here at all.
 */
import { crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type AppendFile, CorruptError, type FileKind, type RandomFile } from '../base/mod.ts';
import { type CanonicalUrl, localityKey } from '../url/mod.ts';

export const RUN_KIND: FileKind = { magic: 'GYL1', version: 1 };
export const URLS_PER_FRAME = 1024;
/** About as many bytes of numbers and texts make up one pair of frames. */
export const RECORD_FRAME_BYTES = 64 * 1024;

/** On disk; numbers never change their meaning. */
export const RunKind = { page: 1, alias: 2, gone: 3 } as const;
export type RunKind = (typeof RunKind)[keyof typeof RunKind];

export interface RunRecord {
  url: number;
  kind: RunKind;
  /** The URL of which this one is another name; -1 if none. */
  aliasOf: number;
  /** The URLs it links to, and what each link says. */
  targets: number[];
  /** Empty if the texts were not asked for. */
  texts: string[];
}

const NAME = /^run-(\d{8,})-(\d{8,})\.links$/;

export interface RunName {
  name: string;
  /** Numbers of journal files. */
  first: number;
  last: number;
}

export function runName(first: number, last: number): RunName {
  const padded = (file: number) => String(file).padStart(8, '0');
  return { name: `run-${padded(first)}-${padded(last)}.links`, first, last };
}

export function parseRunName(name: string): RunName | null {
  const match = NAME.exec(name);
  return match && { name, first: Number(match[1]), last: Number(match[2]) };
}

/** A URL with the key by which it is sorted: by domain, then host, then path, so that neighbours link to each other. */
export interface LocalUrl {
  url: CanonicalUrl;
  key: string;
}

export function localUrl(url: CanonicalUrl): LocalUrl {
  return { url, key: localityKey(url) };
}

/** The same, quicker if `url` is on the host of `previous`, as it mostly is in a sorted list. */
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

/** The frame at `position` and where the next one begins; null at the end of frames. */
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
