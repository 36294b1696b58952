/**
 * The one who changes an index. New segments, deletes, ranks, anchors and merges are gathered, and `commit` makes
 * them visible at once by replacing the manifest; until then every reader sees the index as it was.
 *
 * A merge is planned, carried out by whoever has the time (run-merge.ts), and adopted. In between the writer goes on;
 * what is deleted or ranked meanwhile holds for the merged segment too.
 *
 * One writer at a time: the caller holds the lock of the index. If a call throws, close the writer; what
 * was not committed is rubbish that the next writer removes.
 */
import { randomUUID } from 'node:crypto';
import { type Directory, type Log, messageOf, partOf } from '../base/mod.ts';
import type { AnchorTexts } from './anchor-lists-format.ts';
import { DocSet } from './doc-set.ts';
import {
  anchorsName,
  deletesName,
  filesOf,
  isManifestReadable,
  MANIFEST_VERSION,
  type Manifest,
  manifestInPlaceOf,
  ranksName,
  readManifest,
  type SegmentEntry,
  segmentName,
  writeManifest,
} from './manifest.ts';
import { chooseMerge } from './merge-policy.ts';
import { isUnreadable, openEntry } from './open-segment.ts';
import type { HostSignalsOf } from './rank-column.ts';
import { type MergePlan, runMerge } from './run-merge.ts';
import { anchorMerged, anchorSegment } from './segment-anchors.ts';
import { openSegment } from './segment-reader.ts';
import {
  columnsOf,
  hasLive,
  mergedSegment,
  newSegment,
  type RelativeRank,
  type WritableSegment,
  writeSides,
} from './writable-segment.ts';

export interface IndexWriterOptions {
  /** Begins with nothing: the first commit puts what was written in place of the index that is there. */
  fresh?: boolean;
}

export class IndexWriter {
  readonly #directory: Directory;
  readonly #log: Log;
  #manifest: Manifest;
  #journal: string;
  #nextSegment: number;
  #segments: WritableSegment[] = [];
  /** Damaged segments: kept as they are until they are repaired, and never merged. */
  #unreadable: SegmentEntry[] = [];
  /** Merges that were planned and are neither adopted nor abandoned, with their sources. */
  readonly #merges = new Map<MergePlan, WritableSegment[]>();
  #changed = false;

  constructor(directory: Directory, log: Log, { fresh = false }: IndexWriterOptions = {}) {
    this.#directory = directory;
    this.#log = log;
    const isReadable = !fresh || isManifestReadable(directory);
    this.#manifest = isReadable ? readManifest(directory) : manifestInPlaceOf(directory);
    this.#nextSegment = this.#manifest.nextSegment;
    this.#journal = fresh ? '' : this.#manifest.journal;
    this.#changed = fresh;
    this.#removeParts();
    if (isReadable) this.#removeRubbish();
    if (!fresh) for (const entry of this.#manifest.segments) this.#open(entry);
  }

  get generation(): number {
    return this.#manifest.generation;
  }

  /** The last journal file that is in the index. */
  get journal(): string {
    return this.#journal;
  }

  /** Live documents of readable segments, as of the last commit. */
  get docCount(): number {
    const damaged = new Set(this.damaged);
    const readable = this.#manifest.segments.filter(({ file }) => !damaged.has(file));
    return readable.reduce((sum, { docs, deleted }) => sum + docs - deleted, 0);
  }

  /** Segments that are known to be damaged. */
  get damaged(): readonly string[] {
    return this.#unreadable.map(({ file }) => file);
  }

  /** Whether a readable segment has the document. */
  has(fingerprint: bigint): boolean {
    return this.#segments.some((segment) => hasLive(segment, fingerprint));
  }

  /** A name for a segment that the caller is about to write. */
  reserveName(): string {
    return segmentName(this.#nextSegment++);
  }

  /** Takes a finished segment into the index, with what is known of its documents by links. */
  adopt(
    name: string,
    rankOf: RelativeRank | null,
    textsOf: AnchorTexts | null = null,
    signalsOf: HostSignalsOf = () => null,
  ): void {
    const reader = openSegment(this.#directory, name);
    const columns = rankOf && columnsOf(reader, rankOf, signalsOf);
    const segment = newSegment(reader, new DocSet(reader.docCount), columns);
    this.#segments.push(segment);
    if (textsOf) anchorSegment(this.#directory, segment, textsOf, this.#nextGeneration);
    this.#changed = true;
  }

  /** Deletes these documents from all segments that are there now; returns how many there were. */
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

  /** Ranks every document anew, and its host; no postings are touched. */
  setRanks(rankOf: RelativeRank, signalsOf: HostSignalsOf = () => null): void {
    for (const segment of this.#segments) {
      segment.columns = columnsOf(segment.reader, rankOf, signalsOf);
      segment.ranksChanged = true;
      this.#changed = true;
    }
  }

  /** Gives every document anew what links say of it; no postings of pages are touched. */
  setAnchors(textsOf: AnchorTexts): void {
    for (const segment of this.#segments) {
      anchorSegment(this.#directory, segment, textsOf, this.#nextGeneration);
      this.#changed = true;
    }
  }

  /** The merge that is due, if any, among the segments that are in none. To be adopted or abandoned. */
  planMerge(): MergePlan | null {
    const merging = new Set([...this.#merges.values()].flat());
    const idle = this.#segments.filter((segment) => !merging.has(segment));
    const sizes = idle.map(({ reader, deletes }) => ({
      liveDocs: reader.docCount - deletes.size,
      deletedDocs: deletes.size,
    }));
    const chosen = chooseMerge(sizes).map((index) => idle[index]!);
    return chosen.length > 0 ? this.#plan(chosen) : null;
  }

  /** Puts the segment that was made by this plan in place of its sources; visible after the next `commit`. */
  adoptMerge(plan: MergePlan): void {
    const sources = this.#merges.get(plan)!;
    const reader = openSegment(this.#directory, plan.output);
    this.#merges.delete(plan);
    this.#segments = this.#segments.filter((segment) => !sources.includes(segment));
    const merged = mergedSegment(reader, sources);
    anchorMerged(this.#directory, merged, sources, this.#nextGeneration, this.#log);
    this.#segments.push(merged);
    for (const source of sources) source.reader.close();
    this.#changed = true;
    this.#log.info('segments merged', { segment: plan.output, from: sources.length, docs: reader.docCount });
  }

  /** Gives a merge up; a source that proved to be damaged is set aside. */
  abandonMerge(plan: MergePlan, damage?: { file: string; why: string }): void {
    const source = this.#merges.get(plan)?.find(({ entry }) => entry.file === damage?.file);
    this.#merges.delete(plan);
    if (!source || !damage) return;
    this.#segments = this.#segments.filter((segment) => segment !== source);
    source.reader.close();
    this.#setAside(source.entry, damage.why);
  }

  /** Merges segments if it is time to, in this thread. */
  async mergeIfDue(orderKey: (url: string) => string, signal?: AbortSignal): Promise<boolean> {
    for (let plan = this.planMerge(); plan; plan = this.planMerge()) {
      if (await this.#carryOut(plan, orderKey, signal)) return true;
    }
    return false;
  }

  /** Makes one segment of all, in this thread. */
  async mergeAll(orderKey: (url: string) => string, signal?: AbortSignal): Promise<void> {
    const isDue = () => this.#segments.length > 1 || this.#segments.some(({ deletes }) => deletes.size > 0);
    while (isDue()) if (await this.#carryOut(this.#plan(this.#segments), orderKey, signal)) return;
  }

  /** Reads all segments and sets those aside whose checksum is not right. */
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

  /** The next commit leaves damaged segments out: what they had is elsewhere now. */
  forgetDamaged(): void {
    this.#changed ||= this.#unreadable.length > 0;
    this.#unreadable = [];
  }

  /** Makes everything visible, with `journal` as the last file that is in the index. */
  commit(journal: string): void {
    if (!this.#changed && journal === this.#manifest.journal) return;
    const generation = this.#nextGeneration;
    this.#dropEmpty();
    const entries = this.#segments.map((segment) => writeSides(this.#directory, segment, generation));
    const manifest = {
      version: MANIFEST_VERSION,
      id: this.#manifest.id || randomUUID(),
      generation,
      nextSegment: this.#nextSegment,
      journal,
      segments: [...this.#unreadable, ...entries],
    };
    writeManifest(this.#directory, manifest);
    this.#manifest = manifest;
    this.#journal = journal;
    this.#changed = false;
    this.#removeRubbish();
  }

  close(): void {
    const merging = [...this.#merges.values()].flat();
    for (const { reader } of new Set([...this.#segments, ...merging])) reader.close();
    this.#segments = [];
    this.#merges.clear();
  }

  get #nextGeneration(): number {
    return this.#manifest.generation + 1;
  }

  #open(entry: SegmentEntry): void {
    try {
      const opened = openEntry(this.#directory, withoutAnchors(entry), this.#log, false);
      const { reader, deletes, ranks, hostSignals } = opened;
      const columns = ranks && hostSignals ? { ranks, hosts: hostSignals } : null;
      this.#segments.push({ reader, entry, deletes, columns, deletesChanged: false, ranksChanged: false });
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      this.#setAside(entry, messageOf(error));
    }
  }

  #plan(chosen: readonly WritableSegment[]): MergePlan {
    const inputs = chosen.map(({ entry, deletes }) => ({ file: entry.file, deletes: deletes.toBytes() }));
    const plan = { output: this.reserveName(), inputs };
    this.#merges.set(plan, [...chosen]);
    return plan;
  }

  /** False if a source proved to be damaged. */
  async #carryOut(
    plan: MergePlan,
    orderKey: (url: string) => string,
    signal?: AbortSignal,
  ): Promise<boolean> {
    const outcome = await runMerge(this.#directory, plan, orderKey, signal);
    if (outcome.kind === 'damaged') this.abandonMerge(plan, outcome);
    else this.adoptMerge(plan);
    return outcome.kind === 'merged';
  }

  #setAside(entry: SegmentEntry, why: string): void {
    this.#log.error('segment set aside: gyre build --repair restores it from the journal', {
      segment: entry.file,
      why,
    });
    this.#unreadable.push(entry);
  }

  /** What is being merged stays open: the merge still has to know what was deleted. */
  #dropEmpty(): void {
    const merging = new Set([...this.#merges.values()].flat());
    const empty = this.#segments.filter(({ reader, deletes }) => deletes.size === reader.docCount);
    this.#segments = this.#segments.filter((segment) => !empty.includes(segment));
    for (const segment of empty) if (!merging.has(segment)) segment.reader.close();
  }

  /** Removes what the manifest does not name and no merge is about to need. */
  #removeRubbish(): void {
    const kept = new Set(filesOf(this.#manifest));
    for (const { output } of this.#merges.keys()) kept.add(output);
    const rubbish = this.#directory.list().filter((name) => name.startsWith('seg-') && !kept.has(name));
    for (const name of rubbish) this.#directory.remove(name);
  }

  /** Removes the `.part` files that a dead writer or its merges may have left. */
  #removeParts(): void {
    const { segments, nextSegment } = this.#manifest;
    const generation = this.#nextGeneration;
    const finished = this.#directory.list().filter((name) => name.startsWith('seg-')).length;
    for (let number = 1; number <= nextSegment + finished; number++) {
      this.#directory.remove(partOf(segmentName(number)));
    }
    for (const { file } of segments) {
      this.#directory.remove(partOf(deletesName(file, generation)));
      this.#directory.remove(partOf(ranksName(file, generation)));
      this.#directory.remove(partOf(anchorsName(file, generation)));
    }
  }
}

/** A writer looks into anchor lists only when it merges them. */
function withoutAnchors(entry: SegmentEntry): SegmentEntry {
  return { ...entry, anchors: null };
}
