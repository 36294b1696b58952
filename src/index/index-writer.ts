/**
 * The writer changes an index. It collects new segments, deletes, ranks, anchors, vectors, lexicons and merges;
 * `commit` makes all of them visible at once by replacing the manifest. Until then every reader sees the index
 * as it was.
 *
 * The writer plans a merge, `runMerge` carries it out, perhaps in another thread, and the writer adopts the
 * result. In the meantime the writer keeps working; deletes and ranks that change during the merge are applied
 * to the merged segment too.
 *
 * There is one writer at a time: the caller holds the lock of the index. If a call throws, close the writer.
 * The next writer removes the files that were not committed.
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Directory, GyreError, type Log, messageOf } from '../base/mod.ts';
import { type AnchorTexts, anchorMerged, anchorSegment } from './anchors/mod.ts';
import {
  isManifestReadable,
  type JournalProgress,
  MANIFEST_VERSION,
  type Manifest,
  manifestInPlaceOf,
  readManifest,
  type SegmentEntry,
  segmentLexiconName,
  segmentName,
  swapManifest,
  type VersionsEntry,
  versionsName,
  writeManifest,
} from './manifest.ts';
import { chooseMerge, type MergePlan } from './merging/mod.ts';
import { openEntry } from './open-segment.ts';
import {
  columnsOf,
  DocSet,
  type HostSignalsOf,
  hasLive,
  isUnreadable,
  mergedSegment,
  newSegment,
  openSegment,
  type RelativeRank,
  type WritableSegment,
  writeSides,
} from './segment/mod.ts';
import { removeParts, removeUnused } from './unused-files.ts';
import { carryVectors, mergeVectors, type NewVector, setVectors } from './vectors/mod.ts';

/** The journal files whose records are in the index, and the files with the versions of these records. */
interface IndexProgress {
  journal: JournalProgress;
  versions: readonly VersionsEntry[];
}

interface IndexWriterOptions {
  /** If true, the writer starts with no segments, and its first commit replaces the existing index. */
  fresh?: boolean;
}

export class IndexWriter {
  readonly #directory: Directory;
  readonly #log: Log;
  #manifest: Manifest;
  /** False if the manifest on disk is damaged or too old. Then this writer replaces the whole index. */
  #isReadable: boolean;
  #journal: JournalProgress;
  #versions: readonly VersionsEntry[];
  #nextSegment: number;
  #segments: WritableSegment[] = [];
  /** Damaged segments. They stay in the manifest until they are repaired, and are never merged. */
  #unreadable: SegmentEntry[] = [];
  /** The merges that are planned and neither adopted nor abandoned yet, each with its source segments. */
  readonly #merges = new Map<MergePlan, WritableSegment[]>();
  /** Segments that a rebuild replaces. Documents that did not change keep their vectors from these segments. */
  #replaced: WritableSegment[] = [];
  #changed = false;

  constructor(directory: Directory, log: Log, { fresh = false }: IndexWriterOptions = {}) {
    this.#directory = directory;
    this.#log = log;
    this.#isReadable = !fresh || isManifestReadable(directory);
    this.#manifest = this.#isReadable ? readManifest(directory) : manifestInPlaceOf(directory);
    this.#nextSegment = this.#manifest.nextSegment;
    this.#journal = fresh ? {} : this.#manifest.journal;
    this.#versions = fresh ? [] : this.#manifest.versions;
    this.#changed = fresh;
    removeParts(directory, this.#manifest);
    if (this.#isReadable) removeUnused(directory, this.#manifest, []);
    if (!fresh) for (const entry of this.#manifest.segments) this.#open(entry);
    else this.#openReplaced();
  }

  get generation(): number {
    return this.#manifest.generation;
  }

  /** For each journal writer, the number of its last journal file that is in the index. */
  get journal(): JournalProgress {
    return this.#journal;
  }

  /** The tables with the versions of the journal records that are in the index. */
  get versions(): readonly VersionsEntry[] {
    return this.#versions;
  }

  /** Number of live documents in readable segments, as of the last commit. */
  get docCount(): number {
    const damaged = new Set(this.damaged);
    const readable = this.#manifest.segments.filter(({ file }) => !damaged.has(file));
    return readable.reduce((sum, { docs, deleted }) => sum + docs - deleted, 0);
  }

  get damaged(): readonly string[] {
    return this.#unreadable.map(({ file }) => file);
  }

  /** Returns true if a readable segment has a live document with this URL fingerprint. */
  has(fingerprint: bigint): boolean {
    return this.#segments.some((segment) => hasLive(segment, fingerprint));
  }

  /** Returns an unused name for a new segment. */
  reserveName(): string {
    return segmentName(this.#nextSegment++);
  }

  /** Returns the file name for a new lexicon of a segment. */
  lexiconNameOf(segment: string): string {
    return segmentLexiconName(segment, this.#nextGeneration);
  }

  /** Returns an unused name for a new table of record versions. */
  reserveVersionsName(): string {
    return versionsName(this.#nextSegment++);
  }

  /**
   * Adds a finished segment with its lexicon, and sets the ranks, anchor texts and signals of its documents.
   */
  adopt(
    name: string,
    rankOf: RelativeRank | null,
    textsOf: AnchorTexts | null = null,
    signalsOf: HostSignalsOf = () => null,
    lexicon: string | null = null,
  ): void {
    const reader = openSegment(this.#directory, name);
    const columns = rankOf && columnsOf(reader, rankOf, signalsOf);
    const segment = newSegment(reader, new DocSet(reader.docCount), columns);
    segment.entry.lexicon = lexicon;
    const others = [...this.#replaced, ...this.#segments];
    carryVectors(this.#directory, segment, others, this.#nextGeneration, this.#log);
    this.#segments.push(segment);
    if (textsOf) anchorSegment(this.#directory, segment, textsOf, this.#nextGeneration);
    this.#changed = true;
  }

  /** Deletes the documents with these URL fingerprints from all segments. Returns the number deleted. */
  deleteDocuments(fingerprints: Iterable<bigint>): number {
    let count = 0;
    for (const fingerprint of fingerprints) {
      for (const segment of this.#segments) {
        const doc = segment.reader.findDocument(fingerprint);
        if (doc < 0 || !segment.deletes.add(doc)) continue;
        segment.deletesChanged = true;
        this.#changed = true;
        count++;
      }
    }
    return count;
  }

  /** Replaces the ranks of every document and the signals of every host. The postings stay unchanged. */
  setRanks(rankOf: RelativeRank, signalsOf: HostSignalsOf = () => null): void {
    for (const segment of this.#segments) {
      segment.columns = columnsOf(segment.reader, rankOf, signalsOf);
      segment.ranksChanged = true;
      this.#changed = true;
    }
  }

  /** Replaces the anchor lists (postings of anchor texts) of every segment. Other postings stay unchanged. */
  setAnchors(textsOf: AnchorTexts): void {
    for (const segment of this.#segments) {
      anchorSegment(this.#directory, segment, textsOf, this.#nextGeneration);
      this.#changed = true;
    }
  }

  /**
   * Sets the vectors of documents, by URL fingerprint. Returns the number of vectors set: a document that has
   * changed since its vector was computed, or is no longer in the index, gets none.
   */
  setVectors(model: string, dimension: number, vectors: ReadonlyMap<bigint, NewVector>): number {
    let count = 0;
    for (const segment of this.#segments)
      count += setVectors(
        this.#directory,
        segment,
        vectors,
        { model, dimension },
        this.#nextGeneration,
        this.#log,
      );
    this.#changed ||= count > 0;
    return count;
  }

  /**
   * Returns the merge that is due, or null. Segments that are already being merged are not considered. The
   * caller runs the plan with `runMerge`, then adopts or abandons it.
   */
  planMerge(choose = chooseMerge): MergePlan | null {
    const merging = new Set([...this.#merges.values()].flat());
    const idle = this.#segments.filter((segment) => !merging.has(segment));
    const sizes = idle.map(({ reader, deletes }) => ({
      liveDocs: reader.docCount - deletes.size,
      deletedDocs: deletes.size,
    }));
    const chosen = choose(sizes).map((index) => idle[index]!);
    return chosen.length > 0 ? this.#plan(chosen) : null;
  }

  /** Replaces the source segments of a finished merge by the merged segment; visible after `commit`. */
  adoptMerge(plan: MergePlan): void {
    const sources = this.#merges.get(plan)!;
    const reader = openSegment(this.#directory, plan.output);
    this.#merges.delete(plan);
    this.#segments = this.#segments.filter((segment) => !sources.includes(segment));
    const merged = mergedSegment(reader, sources);
    merged.entry.lexicon = this.#directory.has(plan.lexicon) ? plan.lexicon : null;
    anchorMerged(this.#directory, merged, sources, this.#nextGeneration, this.#log);
    mergeVectors(this.#directory, merged, sources, this.#nextGeneration, this.#log);
    this.#segments.push(merged);
    for (const source of sources) source.reader.close();
    this.#changed = true;
    this.#log.info('segments merged', { segment: plan.output, from: sources.length, docs: reader.docCount });
  }

  /** Gives up a merge. If one of its source segments is damaged, that segment is no longer used. */
  abandonMerge(plan: MergePlan, damage?: { file: string; why: string }): void {
    const source = this.#merges.get(plan)?.find(({ entry }) => entry.file === damage?.file);
    this.#merges.delete(plan);
    if (!source || !damage) return;
    this.#segments = this.#segments.filter((segment) => segment !== source);
    source.reader.close();
    this.#setAside(source.entry, damage.why);
  }

  /** Verifies the checksums of all segments. Damaged segments are no longer used. */
  verify(): void {
    for (const segment of [...this.#segments]) {
      try {
        segment.reader.verify();
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        this.#segments = this.#segments.filter((other) => other !== segment);
        segment.reader.close();
        this.#setAside(segment.entry, messageOf(error));
      }
    }
  }

  /** The readable segments with their current deletes and ranks. The array is valid until the next change. */
  get segments(): readonly Readonly<WritableSegment>[] {
    return this.#segments;
  }

  /** Sets the lexicon of a segment; null removes a damaged lexicon. */
  setLexicon(segment: string, lexicon: string | null): void {
    const found = this.#segments.find(({ entry }) => entry.file === segment);
    if (!found) return;
    found.entry = { ...found.entry, lexicon };
    this.#changed = true;
  }

  /** Removes damaged segments from the next manifest, after other segments have got their documents. */
  forgetDamaged(): void {
    this.#changed ||= this.#unreadable.length > 0;
    this.#unreadable = [];
  }

  /**
   * Makes all changes visible to readers. `progress` has the journal files that are in the index now, and the
   * tables with the versions of their records.
   */
  commit(progress: IndexProgress = { journal: this.#journal, versions: this.#versions }): void {
    const { journal, versions } = progress;
    if (!this.#changed && isDeepStrictEqual(journal, this.#manifest.journal)) return;
    const generation = this.#nextGeneration;
    this.#dropEmpty();
    const entries = this.#segments.map((segment) => writeSides(this.#directory, segment, generation));
    const manifest = {
      version: MANIFEST_VERSION,
      id: this.#manifest.id || randomUUID(),
      generation,
      nextSegment: this.#nextSegment,
      journal,
      versions,
      segments: [...this.#unreadable, ...entries],
    };
    this.#replaceManifest(manifest);
    this.#manifest = manifest;
    this.#journal = journal;
    this.#versions = versions;
    this.#changed = false;
    this.#closeReplaced();
    removeUnused(this.#directory, this.#manifest, this.#merges.keys());
  }

  close(): void {
    const merging = [...this.#merges.values()].flat();
    for (const { reader } of new Set([...this.#segments, ...merging])) reader.close();
    this.#segments = [];
    this.#merges.clear();
    this.#closeReplaced();
  }

  /** Replaces the manifest. Throws if another writer has replaced it since, unless it was unreadable. */
  #replaceManifest(manifest: Manifest): void {
    if (!this.#isReadable) writeManifest(this.#directory, manifest);
    else if (!swapManifest(this.#directory, this.#manifest, manifest))
      throw new GyreError(
        'index-changed',
        `${this.#directory.path}: another writer has replaced the manifest of generation ${this.#manifest.generation}`,
      );
    this.#isReadable = true;
  }

  get #nextGeneration(): number {
    return this.#manifest.generation + 1;
  }

  #open(entry: SegmentEntry): void {
    try {
      const opened = openEntry(this.#directory, withoutLists(entry), this.#log, false);
      const { reader, deletes, ranks, hostSignals } = opened;
      const columns = ranks && hostSignals ? { ranks, hosts: hostSignals } : null;
      this.#segments.push({ reader, entry, deletes, columns, deletesChanged: false, ranksChanged: false });
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      this.#setAside(entry, messageOf(error));
    }
  }

  #openReplaced(): void {
    for (const entry of this.#manifest.segments) {
      if (!entry.vectors) continue;
      try {
        this.#replaced.push(
          newSegment(openSegment(this.#directory, entry.file), new DocSet(entry.docs), null),
        );
        this.#replaced.at(-1)!.entry.vectors = entry.vectors;
      } catch {
        // If the vectors of a damaged segment cannot be read, they are computed again later.
      }
    }
  }

  #closeReplaced(): void {
    for (const { reader } of this.#replaced) reader.close();
    this.#replaced = [];
  }

  #plan(chosen: readonly WritableSegment[]): MergePlan {
    const inputs = chosen.map(({ entry, deletes }) => ({
      file: entry.file,
      deletes: deletes.toBytes(),
      lexicon: entry.lexicon ?? null,
    }));
    const output = this.reserveName();
    const plan = { output, lexicon: this.lexiconNameOf(output), inputs };
    this.#merges.set(plan, [...chosen]);
    return plan;
  }

  #setAside(entry: SegmentEntry, why: string): void {
    const advice = 'run gyre build --repair';
    this.#log.error('segment damaged, skipped', { segment: entry.file, reason: why, advice });
    this.#unreadable.push(entry);
  }

  /**
   * Removes segments without live documents. A segment that is being merged stays open, because the merge still
   * needs its deletes.
   */
  #dropEmpty(): void {
    const merging = new Set([...this.#merges.values()].flat());
    const empty = this.#segments.filter(({ reader, deletes }) => deletes.size === reader.docCount);
    this.#segments = this.#segments.filter((segment) => !empty.includes(segment));
    for (const segment of empty) if (!merging.has(segment)) segment.reader.close();
  }
}

/** Returns the entry without anchor lists and vectors. The writer opens them only when it needs them. */
function withoutLists(entry: SegmentEntry): SegmentEntry {
  return { ...entry, anchors: null, vectors: null };
}
