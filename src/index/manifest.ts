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
 */
import { CorruptError, type Directory, messageOf, UsageError } from '../base/mod.ts';

export const MANIFEST_NAME = 'manifest.json';
export const MANIFEST_VERSION = 1;

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

export function writeManifest(directory: Directory, manifest: Manifest): void {
  directory.replace(MANIFEST_NAME, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
}

function parseManifest(bytes: Buffer, directory: Directory): Manifest {
  const value = parseJson(bytes);
  const version = Number(value.version);
  if (version > MANIFEST_VERSION) {
    throw new UsageError(
      'newer-format',
      `the index in ${directory.path} has format version ${version}, this Gyre reads up to ${MANIFEST_VERSION}: upgrade Gyre or name another directory with --data`,
    );
  }
  if (!isManifest(value)) throw new CorruptError(MANIFEST_NAME, 0, 'a manifest', 'something else');
  return {
    ...value,
    segments: value.segments.map((entry) => ({ ...entry, anchors: entry.anchors ?? null })),
  };
}

function parseJson(bytes: Buffer): Partial<Manifest> {
  try {
    return Object(JSON.parse(bytes.toString()));
  } catch (cause) {
    throw new CorruptError(MANIFEST_NAME, 0, 'JSON', messageOf(cause));
  }
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
    isName(entry.anchors ?? null)
  );
}

function padded(number: number): string {
  return String(number).padStart(8, '0');
}
