/**
 * The live index, open for searching. It holds the segments of one manifest; `refresh` replaces them by those
 * of the newest manifest. A damaged segment is skipped with a warning, and the other segments are served.
 *
 * To verify the checksum of a segment, its whole file is read. A reader with the option `verifiesLater` is
 * ready sooner: it opens segments after a check of their tables only, and verifies checksums during use, a few
 * MiB at a time. So the time until it is ready hardly depends on the size of the index.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { BoundedCache, type Directory, type Log, messageOf, systemCode } from '../base/mod.ts';
import { fold, isAscii, type Stemming } from '../text/mod.ts';
import { type FamilyRule, NO_FAMILY_RULE } from './hidden-documents.ts';
import { spellingsIn, type WalkLimits, type WordCount, wordsWithPrefix } from './index-words.ts';
import { indexSize } from './index-summary.ts';
import { EMPTY_MANIFEST, type Manifest, readManifest, type SegmentEntry } from './manifest.ts';
import { closeEntry, type OpenSegment, openEntry } from './open-segment.ts';
import { isUnreadable } from './segment/mod.ts';

/**
 * The maximum number of attempts to open the files of a manifest. A writer may remove files after a reader has
 * read the manifest and before it has opened them. The reader then starts again with the new manifest.
 */
const ATTEMPTS = 5;

/** The maximum number of prefixes whose words are cached, at about 5 kB each. */
const MAX_PREFIXES = 1000;

/** While checksums are verified in the background, the reader pauses after this number of steps of 1 MiB. */
const VERIFY_STEPS = 4;
const VERIFY_PAUSE_MS = 20;

interface IndexReaderOptions {
  /** If true, the checksums of segments are verified after they are opened, while they are already searched. */
  verifiesLater?: boolean;
  /** The settings of the family filter. By default nothing is hidden. */
  family?: FamilyRule | undefined;
}

interface KnownPrefix {
  words: readonly WordCount[];
  /**
   * The maximum number of words that the caller requested when this cache entry was made. A later request for
   * more words needs a new entry.
   */
  limit: number;
  maxRead: number;
  /** True if some words with the prefix were not read, because the number of words read reached `maxRead`. */
  isCut: boolean;
}

interface Held {
  entry: SegmentEntry;
  segment: OpenSegment;
}

export class IndexReader {
  readonly #directory: Directory;
  readonly #log: Log;
  readonly #verifiesLater: boolean;
  readonly family: FamilyRule;
  /** The open segments whose checksums are not verified yet. */
  readonly #unverified = new Set<OpenSegment>();
  #isVerifying = false;
  /** The names of damaged segments. They belong to the index whose id is `#damagedIn`. */
  readonly #damaged = new Set<string>();
  #damagedIn = '';
  #manifest: Manifest = EMPTY_MANIFEST;
  #held: readonly Held[] = [];
  #segments: readonly OpenSegment[] = [];
  #view = viewOf(EMPTY_MANIFEST, []);
  #sizeBytes = 0;
  #stemmings: ReadonlyMap<Stemming, number> = new Map();
  /** Caches the most frequent words for each prefix. It is cleared when the segments change. */
  readonly #prefixes = BoundedCache.clearedWhenFull<string, KnownPrefix>(MAX_PREFIXES);

  /** Opens the index in a directory. A directory without an index reads as an empty index. */
  constructor(
    directory: Directory,
    log: Log,
    { verifiesLater = false, family = NO_FAMILY_RULE }: IndexReaderOptions = {},
  ) {
    this.#directory = directory;
    this.#log = log;
    this.#verifiesLater = verifiesLater;
    this.family = family;
    this.refresh();
  }

  get generation(): number {
    return this.#manifest.generation;
  }

  /**
   * The open segments. Returns the same array until the segments change, so that caches can compare it by
   * identity.
   */
  get segments(): readonly OpenSegment[] {
    return this.#segments;
  }

  /**
   * Identifies the open segments: readers of copies of one index have the same view if they have the same manifest
   * open and skip the same damaged segments. The documents of one view have the same numbers in all readers.
   */
  get view(): string {
    return this.#view;
  }

  /** The number of live documents for each set of stemming rules. */
  get stemmings(): ReadonlyMap<Stemming, number> {
    return this.#stemmings;
  }

  /** Names of segments in the manifest that are skipped because they are damaged. */
  get missing(): readonly string[] {
    return this.#manifest.segments.map(({ file }) => file).filter((file) => this.#damaged.has(file));
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Opens the segments of the newest manifest. Returns false if the manifest has not changed. */
  refresh(): boolean {
    for (let attempt = 1; ; attempt++) {
      const manifest = readManifest(this.#directory);
      if (isDeepStrictEqual(manifest, this.#manifest)) return false;
      if (this.#exchange(manifest, attempt === ATTEMPTS)) return true;
    }
  }

  /** Closes a segment whose damage was found during a search, and skips it from now on. */
  leaveOut(segment: OpenSegment, why: unknown): void {
    const file = segment.reader.name;
    this.#damaged.add(file);
    this.#log.warn('segment skipped', { segment: file, reason: messageOf(why) });
    this.#hold(this.#held.filter((held) => held.segment !== segment));
    this.#view = viewOf(this.#manifest, this.missing);
    this.#prefixes.clear();
    this.#unverified.delete(segment);
    closeEntry(segment);
  }

  /** Returns the most frequent words that begin with `prefix`, for queries such as `prefix*`. */
  termsWithPrefix(prefix: string, limit: number, limits: WalkLimits): WordCount[] {
    const known = this.#prefixes.get(prefix);
    if (known && known.limit >= limit && (!known.isCut || known.maxRead === limits.maxRead))
      return known.words.slice(0, limit);
    const damaged = (segment: OpenSegment, why: unknown) => this.leaveOut(segment, why);
    const { words, isCut } = wordsWithPrefix(this.segments, prefix, limit, limits, damaged);
    this.#prefixes.set(prefix, { words, limit, maxRead: limits.maxRead, isCut });
    return words;
  }

  /**
   * Returns the words of the index that differ from `word` only in accents. Words of deleted documents are
   * included.
   */
  spellingsOf(word: string): readonly string[] {
    const folded = isAscii(word) ? word : fold(word);
    return spellingsIn(this.segments, folded, (segment, why) => this.leaveOut(segment, why));
  }

  close(): void {
    this.#unverified.clear();
    closeAll(this.#held);
    this.#hold([]);
  }

  /**
   * Verifies the checksums of the open segments, a few MiB at a time, until all segments are verified or
   * closed.
   */
  async #verifyRest(): Promise<void> {
    if (this.#isVerifying) return;
    this.#isVerifying = true;
    await pause(VERIFY_PAUSE_MS, undefined, { ref: false });
    for (const segment of this.#unverified) await this.#verifyInSteps(segment);
    this.#isVerifying = false;
  }

  async #verifyInSteps(segment: OpenSegment): Promise<void> {
    const steps = segment.reader.verifyInSteps();
    for (let count = 1; this.#unverified.has(segment); count++) {
      const step = steps.next();
      if (step.done && step.value) return this.leaveOut(segment, step.value);
      if (step.done) this.#unverified.delete(segment);
      else if (count % VERIFY_STEPS === 0) await pause(VERIFY_PAUSE_MS, undefined, { ref: false });
    }
  }

  /**
   * Replaces the open segments by those of `manifest`. Returns false if a file is missing; on the last attempt,
   * skips the segment of a missing file instead.
   */
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
    const left = this.#held.filter((held) => !next.includes(held));
    for (const { segment } of left) this.#unverified.delete(segment);
    closeAll(left);
    this.#hold(next);
    this.#prefixes.clear();
    this.#stemmings = stemmingsOf(this.segments);
    this.#manifest = manifest;
    this.#view = viewOf(manifest, this.missing);
    this.#sizeBytes = indexSize(this.#directory, manifest);
    if (this.#unverified.size > 0) void this.#verifyRest();
    return true;
  }

  #hold(held: readonly Held[]): void {
    this.#held = held;
    this.#segments = held.map(({ segment }) => segment);
  }

  #open(entry: SegmentEntry, old: readonly Held[], isLast: boolean): Held | 'gone' | null {
    if (this.#damaged.has(entry.file)) return null;
    const known = old.find((held) => held.entry.file === entry.file);
    const isVerified = known !== undefined && !this.#unverified.has(known.segment);
    try {
      const isChecked = !isVerified && !this.#verifiesLater;
      const segment = openEntry(this.#directory, entry, this.#log, isChecked, this.family);
      if (!isVerified && this.#verifiesLater) this.#unverified.add(segment);
      return { entry, segment };
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      if (systemCode(error) === 'ENOENT' && !isLast) return 'gone';
      this.#damaged.add(entry.file);
      this.#log.warn('segment skipped', { segment: entry.file, reason: messageOf(error) });
      return null;
    }
  }
}

function viewOf({ id, generation }: Manifest, missing: readonly string[]): string {
  return [id, generation, ...missing].join(' ');
}

function stemmingsOf(segments: readonly OpenSegment[]): Map<Stemming, number> {
  const counts: number[] = [];
  for (const { reader, deletes } of segments) {
    const { stemmings } = reader.table;
    for (let doc = 0; doc < stemmings.length; doc++) {
      if (!deletes.has(doc)) counts[stemmings[doc]!] = (counts[stemmings[doc]!] ?? 0) + 1;
    }
  }
  return new Map(counts.flatMap((count, stemming) => (count ? [[stemming as Stemming, count]] : [])));
}

function closeAll(held: readonly Held[]): void {
  for (const { segment } of held) closeEntry(segment);
}

function isSame(a: SegmentEntry, b: SegmentEntry): boolean {
  const sides = ['file', 'deletes', 'ranks', 'anchors', 'vectors'] as const;
  return sides.every((side) => (a[side] ?? null) === (b[side] ?? null));
}
