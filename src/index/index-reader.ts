/**
 * The live index, open for searching: the segments of one manifest, exchanged for those of the next by
 * `refresh`. A damaged segment is left out with a warning and the rest serves.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Directory, type Log, messageOf, systemCode } from '../base/mod.ts';
import { fold, isAscii, type Stemming } from '../text/mod.ts';
import {
  type NearWordCount,
  spellingsIn,
  type WordCount,
  wordsNear,
  wordsWithPrefix,
} from './index-words.ts';
import { EMPTY_MANIFEST, filesOf, type Manifest, readManifest, type SegmentEntry } from './manifest.ts';
import { nearWords } from './near-words.ts';
import { closeEntry, isUnreadable, type OpenSegment, openEntry } from './open-segment.ts';

/** A writer may remove files between our reading of the manifest and of the files: then we start anew. */
const ATTEMPTS = 5;

interface Held {
  entry: SegmentEntry;
  segment: OpenSegment;
}

export class IndexReader {
  readonly #directory: Directory;
  readonly #log: Log;
  /** Segments known to be damaged, in the index with this id. */
  readonly #damaged = new Set<string>();
  #damagedIn = '';
  #manifest: Manifest = EMPTY_MANIFEST;
  #held: Held[] = [];
  #sizeBytes = 0;
  #stemmings: readonly Stemming[] = [];

  /** An index that was never built is an empty one. */
  constructor(directory: Directory, log: Log) {
    this.#directory = directory;
    this.#log = log;
    this.refresh();
  }

  get generation(): number {
    return this.#manifest.generation;
  }

  get segments(): readonly OpenSegment[] {
    return this.#held.map(({ segment }) => segment);
  }

  /** By which rules words became terms in the live documents, that of most documents first. */
  get stemmings(): readonly Stemming[] {
    return this.#stemmings;
  }

  /** Segments of the manifest that are left out because they are damaged. */
  get missing(): readonly string[] {
    return this.#manifest.segments.map(({ file }) => file).filter((file) => this.#damaged.has(file));
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Opens what the manifest now names; false if nothing changed. */
  refresh(): boolean {
    for (let attempt = 1; ; attempt++) {
      const manifest = readManifest(this.#directory);
      if (isDeepStrictEqual(manifest, this.#manifest)) return false;
      if (this.#exchange(manifest, attempt === ATTEMPTS)) return true;
    }
  }

  /** Leaves a segment out from now on: it turned out to be damaged while it was read. */
  leaveOut(segment: OpenSegment, why: unknown): void {
    const file = segment.reader.name;
    this.#damaged.add(file);
    this.#log.warn('segment left out', { segment: file, why: messageOf(why) });
    this.#held = this.#held.filter((held) => held.segment !== segment);
    closeEntry(segment);
  }

  /** The most frequent words with this beginning, for `prefix*` and suggestions. */
  termsWithPrefix(prefix: string, limit: number): WordCount[] {
    return wordsWithPrefix(this.segments, prefix, limit, (segment, why) => this.leaveOut(segment, why));
  }

  /**
   * The words at most `maxDistance` (0 to 2) edits from `word`, nearest first, then by frequency. With a
   * `prefixLength` only words that begin with as many letters of `word` are looked at, which is quicker.
   */
  termsNear(word: string, maxDistance: number, limit: number, prefixLength = 0): NearWordCount[] {
    const near = ({ reader }: OpenSegment) =>
      nearWords(
        (from) => reader.words(from),
        (entry) => entry.word,
        word,
        maxDistance,
        word.slice(0, prefixLength),
      );
    return wordsNear(this.segments, near, limit, (segment, why) => this.leaveOut(segment, why));
  }

  /** The words of the index that are the same but for accents; those of deleted documents are among them. */
  spellingsOf(word: string): readonly string[] {
    const folded = isAscii(word) ? word : fold(word);
    return spellingsIn(this.segments, folded, (segment, why) => this.leaveOut(segment, why));
  }

  close(): void {
    closeAll(this.#held);
    this.#held = [];
  }

  /** False if a file was gone, unless this is the last attempt: then its segment is left out. */
  #exchange(manifest: Manifest, isLast: boolean): boolean {
    if (manifest.id !== this.#damagedIn) this.#damaged.clear();
    this.#damagedIn = manifest.id;
    const old = manifest.id === this.#manifest.id ? this.#held : [];
    const next: Held[] = [];
    for (const entry of manifest.segments) {
      const held = old.find((held) => isSame(held.entry, entry)) ?? this.#open(entry, old, isLast);
      if (held === 'gone') {
        closeAll(next.filter((opened) => !old.includes(opened)));
        return false;
      }
      if (held) next.push(held);
    }
    closeAll(this.#held.filter((held) => !next.includes(held)));
    this.#held = next;
    this.#stemmings = stemmingsOf(this.segments);
    this.#manifest = manifest;
    this.#sizeBytes = sizeOf(this.#directory, manifest);
    return true;
  }

  #open(entry: SegmentEntry, old: readonly Held[], isLast: boolean): Held | 'gone' | null {
    if (this.#damaged.has(entry.file)) return null;
    const isVerified = old.some((held) => held.entry.file === entry.file);
    try {
      return { entry, segment: openEntry(this.#directory, entry, this.#log, !isVerified) };
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      if (systemCode(error) === 'ENOENT' && !isLast) return 'gone';
      this.#damaged.add(entry.file);
      this.#log.warn('segment left out', { segment: entry.file, why: messageOf(error) });
      return null;
    }
  }
}

function stemmingsOf(segments: readonly OpenSegment[]): Stemming[] {
  const counts = new Map<Stemming, number>();
  for (const { reader, deletes } of segments) {
    for (const [doc, stemming] of reader.table.stemmings.entries()) {
      if (!deletes.has(doc)) counts.set(stemming, (counts.get(stemming) ?? 0) + 1);
    }
  }
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([stemming]) => stemming);
}

function closeAll(held: readonly Held[]): void {
  for (const { segment } of held) closeEntry(segment);
}

function isSame(a: SegmentEntry, b: SegmentEntry): boolean {
  return a.file === b.file && a.deletes === b.deletes && a.ranks === b.ranks && a.anchors === b.anchors;
}

function sizeOf(directory: Directory, manifest: Manifest): number {
  return filesOf(manifest).reduce((sum, name) => sum + (directory.has(name) ? directory.sizeOf(name) : 0), 0);
}
