/**
 * Keeps the lexicons (words and phrases) of all segments of the index in memory. `refresh` reads the lexicons of new
 * segments. For segments whose ranks or deleted documents have changed, it computes the weights of phrases again.
 * Therefore its cost depends on the number of new pages and not on the size of the index, except after a rank run.
 */
import { CorruptError, type Directory, GyreError, type Log, messageOf, systemCode } from '../../base/mod.ts';
import { readLiveRanks, readManifest, type SegmentEntry } from '../../index/mod.ts';
import {
  openSegmentLexicon,
  type PhraseTable,
  phrasesOfSegment,
  type SegmentLexicon,
  type WordTable,
} from '../../lexicon/mod.ts';

/**
 * The maximum number of times that the manifest is read again if a file that it names is missing. A writer may
 * have removed the file just before.
 */
const ATTEMPTS = 5;

/** A segment, and the data from its lexicon that is kept in memory. */
interface Followed<T> {
  entry: SegmentEntry;
  kept: T;
}

/**
 * Reads the data to keep from the lexicon of a segment. `before` is the data that was kept for the same segment with
 * older ranks or deleted documents; null if there is none.
 */
type Keep<T> = (entry: SegmentEntry, before: T | null) => T;

class LexiconFollower<T> {
  readonly #index: Directory;
  readonly #log: Log;
  readonly #keep: Keep<T>;
  readonly #warned = new Set<string>();
  #followed: Followed<T>[] = [];
  #version = '';

  constructor(index: Directory, log: Log, keep: Keep<T>) {
    this.#index = index;
    this.#log = log;
    this.#keep = keep;
  }

  get current(): readonly T[] {
    return this.#followed.map(({ kept }) => kept);
  }

  /** Switches to the newest segments. Returns false if nothing changed, or if the manifest cannot be read. */
  refresh(): boolean {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        const { id, generation, segments } = readManifest(this.#index);
        const version = `${id} ${generation}`;
        if (version === this.#version) return false;
        this.#followed = this.#follow(segments, id, attempt === ATTEMPTS);
        this.#version = version;
        return true;
      } catch (error) {
        if (error instanceof GyreError) return false;
        if (systemCode(error) !== 'ENOENT') throw error;
      }
    }
    return false;
  }

  #follow(segments: readonly SegmentEntry[], id: string, isLast: boolean): Followed<T>[] {
    const old = this.#version.startsWith(`${id} `) ? this.#followed : [];
    return segments.flatMap((entry) => {
      if (!entry.lexicon) {
        this.#warnOnce(entry.file, 'the segment has no lexicon', 'run gyre build');
        return [];
      }
      const known = old.find((other) => other.entry.lexicon === entry.lexicon);
      if (known && isSame(known.entry, entry)) return [known];
      try {
        return [{ entry, kept: this.#keep(entry, known?.kept ?? null) }];
      } catch (error) {
        const isMissing = systemCode(error) === 'ENOENT';
        if (!(error instanceof CorruptError) && !(isMissing && isLast)) throw error;
        this.#warnOnce(entry.lexicon, messageOf(error), 'run gyre build --repair');
        return [];
      }
    });
  }

  #warnOnce(file: string, reason: string, advice: string): void {
    if (this.#warned.has(file)) return;
    this.#warned.add(file);
    this.#log.warn('lexicon unreadable, its words are not suggested', { file, reason, advice });
  }
}

/** Follows the lexicons of an index, or of all its shards. */
export class FollowedIndexes<T> {
  readonly #followers: readonly LexiconFollower<T>[];

  private constructor(followers: readonly LexiconFollower<T>[]) {
    this.#followers = followers;
  }

  static of<T>(
    indexes: Directory | readonly Directory[],
    follow: (index: Directory) => LexiconFollower<T>,
  ): FollowedIndexes<T> {
    return new FollowedIndexes([indexes].flat().map(follow));
  }

  get current(): readonly T[] {
    return this.#followers.flatMap(({ current }) => current);
  }

  /** Switches to the newest segments. Returns false if nothing changed. */
  refresh(): boolean {
    return this.#followers.map((follower) => follower.refresh()).includes(true);
  }
}

function isSame(a: SegmentEntry, b: SegmentEntry): boolean {
  return a.ranks === b.ranks && a.deletes === b.deletes;
}

export interface FollowedPhrases {
  lexicon: SegmentLexicon;
  phrases: PhraseTable;
}

/** Keeps the words and phrases of the index in memory, for suggestions. */
export function followPhrases(index: Directory, log: Log): LexiconFollower<FollowedPhrases> {
  return new LexiconFollower(index, log, (entry, before) => {
    const lexicon = before?.lexicon ?? openSegmentLexicon(index, entry.lexicon!, entry.docs);
    return { lexicon, phrases: phrasesOfSegment(lexicon, readLiveRanks(index, entry, log)) };
  });
}

/** Keeps only the words of the index in memory, for spelling correction. */
export function followWords(index: Directory, log: Log): LexiconFollower<WordTable> {
  return new LexiconFollower(
    index,
    log,
    (entry, before) => before ?? openSegmentLexicon(index, entry.lexicon!, entry.docs).words,
  );
}
