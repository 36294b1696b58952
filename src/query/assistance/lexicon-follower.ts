/**
 * The lexicons of the segments of the index, in memory. `refresh` reads those of new segments, and computes the weights
 * of phrases again for segments whose ranks or deletes have changed; it keeps everything else. Therefore its cost
 * depends on the new pages, and not on the size of the index, except after a rank run.
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

/** How often the manifest is read again if a writer has removed a file that it named. */
const ATTEMPTS = 5;

/** What is kept of the lexicon of a segment. */
interface Followed<T> {
  entry: SegmentEntry;
  kept: T;
}

/** Makes what is kept of a lexicon. `before` is what was kept of it with other ranks or deletes, if it was. */
type Keep<T> = (entry: SegmentEntry, before: T | null) => T;

export class LexiconFollower<T> {
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

  /** Switches to the newest segments; returns false if nothing changed. An unreadable manifest changes nothing. */
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

function isSame(a: SegmentEntry, b: SegmentEntry): boolean {
  return a.ranks === b.ranks && a.deletes === b.deletes;
}

export interface FollowedPhrases {
  lexicon: SegmentLexicon;
  phrases: PhraseTable;
}

/** Follows words and phrases, for suggestions. */
export function followPhrases(index: Directory, log: Log): LexiconFollower<FollowedPhrases> {
  return new LexiconFollower(index, log, (entry, before) => {
    const lexicon = before?.lexicon ?? openSegmentLexicon(index, entry.lexicon!, entry.docs);
    return { lexicon, phrases: phrasesOfSegment(lexicon, readLiveRanks(index, entry, log)) };
  });
}

/** Follows words only, for corrections. */
export function followWords(index: Directory, log: Log): LexiconFollower<WordTable> {
  return new LexiconFollower(
    index,
    log,
    (entry, before) => before ?? openSegmentLexicon(index, entry.lexicon!, entry.docs).words,
  );
}
