/**
 * `manifest.json` lists the files of the live index. It is replaced atomically, so a reader sees all changes of
 * a build or none, and a build that is killed leaves the index unchanged.
 *
 * Files never change after the manifest names them, and no name is used twice: `nextSegment` numbers the
 * segments; deletes, ranks, anchors, vectors and lexicons are named after the generation that wrote them. The
 * next writer removes files that the manifest does not name.
 *
 * `journal` is the number of the last journal file of each writer whose records are in the index; it is empty
 * at first. It is replaced together with the segments, so no record is lost or indexed twice. `versions` lists
 * the tables of the versions of these records (build/record-versions.ts), from the oldest to the newest;
 * `newest` is the greatest `fetchedAt` of a table.
 *
 *   {
 *     "version": 2,
 *     "id": "0b9f6f2c",
 *     "generation": 4,
 *     "nextSegment": 3,
 *     "journal": {
 *       "main": 3
 *     },
 *     "versions": [
 *       {
 *         "file": "versions-00000002.gyre",
 *         "urls": 12,
 *         "newest": 1767323045000
 *       }
 *     ],
 *     "segments": [
 *       {
 *         "file": "seg-00000001.seg",
 *         "docs": 9,
 *         "deleted": 2,
 *         "deletes": "seg-00000001.del-00000004",
 *         "ranks": null,
 *         "anchors": null,
 *         "vectors": null,
 *         "lexicon": "seg-00000001.lex-00000001",
 *         "checksum": "5d3c01fa"
 *       }
 *     ],
 *     "checksum": "d843b8be"
 *   }
 *
 * A segment's `checksum` is the one at the end of its file, so that an intact but different segment under the
 * same name is detected. The manifest's own checksum is always the last key (base/files/sealed-json.ts);
 * manifests of older versions have none.
 */
import { join } from 'node:path';
import {
  CorruptError,
  type Directory,
  GyreError,
  parseSealedJson,
  sealJson,
  UsageError,
} from '../base/mod.ts';

export const MANIFEST_NAME = 'manifest.json';
export const MANIFEST_VERSION = 2;
const ADVICE = 'gyre build --repair rebuilds the index from the journal';

export interface Manifest {
  version: number;
  /**
   * Identifies the index. If another index is built in the same directory, with the same file names, it has
   * another id.
   */
  id: string;
  /** The generation of the index. It increases with every commit. */
  generation: number;
  nextSegment: number;
  /** For each journal writer, the number of its last journal file that is in the index. */
  journal: JournalProgress;
  versions: readonly VersionsEntry[];
  segments: SegmentEntry[];
}

export type JournalProgress = Readonly<Record<string, number>>;

/** A table with the versions of the journal records that are in the index. */
export interface VersionsEntry {
  file: string;
  /** The number of URLs in the table of versions. */
  urls: number;
  /** The latest time of a fetch (`fetchedAt`) in the table of versions. */
  newest: number;
}

export interface SegmentEntry {
  file: string;
  docs: number;
  /** The number of deleted documents among the `docs` documents of the segment. */
  deleted: number;
  deletes: string | null;
  ranks: string | null;
  anchors: string | null;
  /** The file of the segment's vectors. Absent in manifests of versions without vectors. */
  vectors?: string | null;
  /**
   * The file of the segment's lexicon. Absent in manifests of versions without lexicons; null if the lexicon
   * was damaged.
   */
  lexicon?: string | null;
  /**
   * The number of documents of the segment that have a vector. Absent if there are no vectors, and in older
   * manifests.
   */
  embedded?: number;
  /** The checksum at the end of the segment file, in hexadecimal. */
  checksum: string | null;
}

export const EMPTY_MANIFEST: Manifest = {
  version: MANIFEST_VERSION,
  id: '',
  generation: 0,
  nextSegment: 1,
  journal: {},
  versions: [],
  segments: [],
};

export function segmentName(number: number): string {
  return `seg-${padded(number)}.seg`;
}

export function deletesName(segment: string, generation: number): string {
  return segment.replace(/\.seg$/, `.del-${padded(generation)}`);
}

export function segmentRanksName(segment: string, generation: number): string {
  return segment.replace(/\.seg$/, `.rank-${padded(generation)}`);
}

export function segmentAnchorsName(segment: string, generation: number): string {
  return segment.replace(/\.seg$/, `.anchor-${padded(generation)}`);
}

export function segmentVectorsName(segment: string, generation: number): string {
  return segment.replace(/\.seg$/, `.vec-${padded(generation)}`);
}

export function segmentLexiconName(segment: string, generation: number): string {
  return segment.replace(/\.seg$/, `.lex-${padded(generation)}`);
}

export function versionsName(number: number): string {
  return `versions-${padded(number)}.gyre`;
}

/** Returns the names of all files of an index, without the manifest itself. */
export function filesOf(manifest: Manifest): string[] {
  const files = manifest.segments.flatMap((entry) => {
    const { vectors = null, lexicon = null } = entry;
    const names = [entry.file, entry.deletes, entry.ranks, entry.anchors, vectors, lexicon];
    return names.filter((name) => name !== null);
  });
  return [...files, ...manifest.versions.map(({ file }) => file)];
}

/** Reads the manifest. If no index was ever built, returns an empty manifest. */
export function readManifest(directory: Directory): Manifest {
  return directory.has(MANIFEST_NAME)
    ? parseIndexManifest(directory.read(MANIFEST_NAME), directory.path, join(directory.path, MANIFEST_NAME))
    : EMPTY_MANIFEST;
}

/**
 * Returns false if the manifest is damaged or has an older format. Throws if it has a newer format, because a
 * newer version of Gyre can read it.
 */
export function isManifestReadable(directory: Directory): boolean {
  try {
    readManifest(directory);
    return true;
  } catch (error) {
    if (error instanceof CorruptError || (error instanceof GyreError && error.code === 'old-format'))
      return false;
    throw error;
  }
}

/**
 * Returns an empty manifest to replace a damaged one. Its numbers are chosen so that new files get names that no
 * existing file has.
 */
export function manifestInPlaceOf(directory: Directory): Manifest {
  const names = directory.list().filter(isIndexFile);
  const numbers = names.map((name) => Number(/^(?:seg|versions)-(\d+)/.exec(name)?.[1] ?? 0));
  const generations = names.map((name) => Number(/-(\d+)$/.exec(name)?.[1] ?? 0));
  return {
    ...EMPTY_MANIFEST,
    generation: Math.max(0, ...generations),
    nextSegment: Math.max(0, ...numbers) + 1,
  };
}

export function writeManifest(directory: Directory, manifest: Manifest): void {
  directory.replace(MANIFEST_NAME, sealJson(manifest));
}

/**
 * Replaces the manifest by `next` if it still equals `expected`. Otherwise returns false and changes nothing.
 */
export function swapManifest(directory: Directory, expected: Manifest, next: Manifest): boolean {
  const { id, generation } = readManifest(directory);
  if (id !== expected.id || generation !== expected.generation) return false;
  writeManifest(directory, next);
  return true;
}

/** Parses the bytes of a manifest. Errors name the `place` of the index and the `file`. */
export function parseIndexManifest(bytes: Buffer, place: string, file: string = place): Manifest {
  const value: Partial<Manifest> = parseSealedJson(bytes, {
    file,
    keys: Object.keys(EMPTY_MANIFEST),
    advice: ADVICE,
  });
  const version = Number(value.version);
  if (version > MANIFEST_VERSION) {
    throw new UsageError(
      'newer-format',
      `the index in ${place} has format version ${version}, this Gyre reads up to ${MANIFEST_VERSION}: upgrade Gyre or choose another directory with --data`,
    );
  }
  if (version < MANIFEST_VERSION) {
    throw new UsageError(
      'old-format',
      `the index in ${place} has format version ${version}, this Gyre reads ${MANIFEST_VERSION}: run gyre build --from-archive, which rebuilds journal and index from the archive`,
    );
  }
  if (!isManifest(value)) throw new CorruptError(file, 0, 'a manifest', 'something else', ADVICE);
  return value;
}

function isManifest(value: Partial<Manifest>): value is Manifest {
  return (
    [value.version, value.generation, value.nextSegment].every(isCount) &&
    typeof value.id === 'string' &&
    isProgress(value.journal) &&
    Array.isArray(value.versions) &&
    value.versions.every(isVersionsEntry) &&
    Array.isArray(value.segments) &&
    value.segments.every(isEntry)
  );
}

function isProgress(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(isCount);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** A name with a path would make the index read, and later remove, files elsewhere. */
function isFileName(name: unknown): boolean {
  return typeof name === 'string' && isIndexFile(name) && /^[\w.-]+$/.test(name);
}

function isVersionsEntry(entry: Partial<VersionsEntry> | null): boolean {
  return (
    entry !== null &&
    isFileName(entry.file) &&
    [entry.urls, entry.newest].every((value) => Number.isFinite(value))
  );
}

function isEntry(entry: Partial<SegmentEntry> | null): boolean {
  const isName = (name: unknown) => name === null || isFileName(name);
  return (
    entry !== null &&
    isFileName(entry.file) &&
    [entry.docs, entry.deleted].every(isCount) &&
    entry.deleted! <= entry.docs! &&
    isName(entry.deletes) &&
    isName(entry.ranks) &&
    isName(entry.anchors) &&
    isName(entry.vectors ?? null) &&
    isName(entry.lexicon ?? null) &&
    isCount(entry.embedded ?? 0) &&
    (entry.checksum === null || typeof entry.checksum === 'string')
  );
}

/** Returns true if the file name is one that a manifest may list, such as `seg-00000001.seg`. */
export function isIndexFile(name: string): boolean {
  return name.startsWith('seg-') || name.startsWith('versions-');
}

function padded(number: number): string {
  return String(number).padStart(8, '0');
}
