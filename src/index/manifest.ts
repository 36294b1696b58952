/**
 * `manifest.json`: which files make up the live index. It is replaced in one step, so a reader sees
 * all of a build or nothing of it, and a build that dies leaves the index as it was.
 *
 * Files are never changed after they are named here, and no name is ever given twice: segments are
 * counted by `nextSegment`, deletes, ranks and anchors are named after the generation that wrote them. A file
 * that the manifest does not name is rubbish; the next writer removes it.
 *
 * `journal` is the last journal file whose records are in the index; the empty string at first.
 * Because it is swapped together with the segments, no record is lost or counted twice.
 *
 *   {
 *     "version": 1,
 *     "id": "0b9f6f2c",
 *     "generation": 4,
 *     "nextSegment": 2,
 *     "journal": "00000003.journal",
 *     "segments": [
 *       {
 *         "file": "seg-00000001.seg",
 *         "docs": 9,
 *         "deleted": 2,
 *         "deletes": "seg-00000001.del-00000004",
 *         "ranks": null,
 *         "anchors": null,
 *         "checksum": "5d3c01fa"
 *       }
 *     ],
 *     "checksum": "84660f8e"
 *   }
 *
 * A segment's `checksum` is the one at the end of its file: another segment in its place, though whole, is not taken for it.
 * The manifest's own is always the last: the CRC-32, in eight hexadecimal digits, of all bytes before the comma that it follows.
 * Manifests of older versions have none.
 */
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { CorruptError, type Directory, messageOf, UsageError } from '../base/mod.ts';

export const MANIFEST_NAME = 'manifest.json';
export const MANIFEST_VERSION = 1;
const CLOSING = '\n}';
const CHECKSUM_OPENING = ',\n  "checksum": "';
const ADVICE = 'gyre build --repair makes the index anew from the journal';

export interface Manifest {
  version: number;
  /** Of this index: another one in the same place, with the same file names, has another. */
  id: string;
  /** Grows with every change of the index. */
  generation: number;
  nextSegment: number;
  journal: string;
  segments: SegmentEntry[];
}

export interface SegmentEntry {
  file: string;
  docs: number;
  /** How many of `docs` are deleted. */
  deleted: number;
  deletes: string | null;
  ranks: string | null;
  /** What links say of its documents; older manifests do not name it. */
  anchors: string | null;
  /** That at the end of its file, in hexadecimal digits; older manifests do not name it. */
  checksum: string | null;
}

export const EMPTY_MANIFEST: Manifest = {
  version: MANIFEST_VERSION,
  id: '',
  generation: 0,
  nextSegment: 1,
  journal: '',
  segments: [],
};

export function segmentName(number: number): string {
  return `seg-${padded(number)}.seg`;
}

export function deletesName(segment: string, generation: number): string {
  return segment.replace(/\.seg$/, `.del-${padded(generation)}`);
}

export function ranksName(segment: string, generation: number): string {
  return segment.replace(/\.seg$/, `.rank-${padded(generation)}`);
}

export function anchorsName(segment: string, generation: number): string {
  return segment.replace(/\.seg$/, `.anchor-${padded(generation)}`);
}

/** The files that an index consists of, without the manifest itself. */
export function filesOf(manifest: Manifest): string[] {
  return manifest.segments.flatMap((entry) =>
    [entry.file, entry.deletes, entry.ranks, entry.anchors].filter((name) => name !== null),
  );
}

/** An index that was never built is an empty one. */
export function readManifest(directory: Directory): Manifest {
  return directory.has(MANIFEST_NAME)
    ? parseManifest(directory.read(MANIFEST_NAME), directory)
    : EMPTY_MANIFEST;
}

/** False if it is damaged. One of a newer format is not: that is for a newer Gyre to read. */
export function isManifestReadable(directory: Directory): boolean {
  try {
    readManifest(directory);
    return true;
  } catch (error) {
    if (error instanceof CorruptError) return false;
    throw error;
  }
}

/**
 * What a writer begins with when the manifest cannot be read, to put a new index in its place: no segments, and numbers
 * that no file has yet.
 */
export function manifestInPlaceOf(directory: Directory): Manifest {
  const names = directory.list().filter((name) => name.startsWith('seg-'));
  const numbers = names.map((name) => Number(/^seg-(\d+)/.exec(name)?.[1] ?? 0));
  const generations = names.map((name) => Number(/-(\d+)$/.exec(name)?.[1] ?? 0));
  return {
    ...EMPTY_MANIFEST,
    generation: Math.max(0, ...generations),
    nextSegment: Math.max(0, ...numbers) + 1,
  };
}

export function writeManifest(directory: Directory, manifest: Manifest): void {
  const opened = JSON.stringify(manifest, null, 2).slice(0, -CLOSING.length);
  const sealed = `${opened}${CHECKSUM_OPENING}${checksumOf(Buffer.from(opened))}"${CLOSING}\n`;
  directory.replace(MANIFEST_NAME, Buffer.from(sealed));
}

function parseManifest(bytes: Buffer, directory: Directory): Manifest {
  const file = join(directory.path, MANIFEST_NAME);
  checkSeal(bytes, file);
  const { checksum, ...value } = parseJson(bytes, file);
  const version = Number(value.version);
  if (version > MANIFEST_VERSION) {
    throw new UsageError(
      'newer-format',
      `the index in ${directory.path} has format version ${version}, this Gyre reads up to ${MANIFEST_VERSION}: upgrade Gyre or name another directory with --data`,
    );
  }
  if (!isManifest(value)) throw new CorruptError(file, 0, 'a manifest', 'something else', ADVICE);
  const unknown = Object.keys(value).find((key) => !(key in EMPTY_MANIFEST));
  if (checksum === undefined && unknown !== undefined) {
    throw new CorruptError(file, 0, 'a checksum', `none, and a key "${unknown}"`, ADVICE);
  }
  return {
    ...value,
    segments: value.segments.map((entry) => ({
      ...entry,
      anchors: entry.anchors ?? null,
      checksum: entry.checksum ?? null,
    })),
  };
}

function parseJson(bytes: Buffer, file: string): Partial<Manifest> & { checksum?: string } {
  try {
    return Object(JSON.parse(bytes.toString()));
  } catch (cause) {
    const why = messageOf(cause).replace(/\s+/g, ' ');
    const isEnd = why.includes('end of JSON');
    const offset = isEnd ? bytes.length : Number(/at position (\d+)/.exec(why)?.[1] ?? 0);
    throw new CorruptError(file, offset, 'JSON', why, ADVICE);
  }
}

function checkSeal(bytes: Buffer, file: string): void {
  const end = bytes.lastIndexOf(CHECKSUM_OPENING);
  if (end < 0) return;
  const expected = bytes.toString('latin1', end + CHECKSUM_OPENING.length).slice(0, 8);
  const actual = checksumOf(bytes.subarray(0, end));
  if (actual !== expected) throw new CorruptError(file, end, `checksum ${expected}`, actual, ADVICE);
}

function checksumOf(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}

function isManifest(value: Partial<Manifest>): value is Manifest {
  const counts = [value.version, value.generation, value.nextSegment];
  return (
    counts.every(Number.isSafeInteger) &&
    typeof value.id === 'string' &&
    typeof value.journal === 'string' &&
    Array.isArray(value.segments) &&
    value.segments.every(isEntry)
  );
}

function isEntry(entry: Partial<SegmentEntry> | null): boolean {
  const isName = (name: unknown) => name === null || typeof name === 'string';
  return (
    entry !== null &&
    typeof entry.file === 'string' &&
    [entry.docs, entry.deleted].every(Number.isSafeInteger) &&
    isName(entry.deletes) &&
    isName(entry.ranks) &&
    isName(entry.anchors ?? null) &&
    isName(entry.checksum ?? null)
  );
}

function padded(number: number): string {
  return String(number).padStart(8, '0');
}
