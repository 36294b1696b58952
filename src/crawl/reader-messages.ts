/** What goes to a reader thread and what comes back; see `readers.ts`. */
import type { AliasRecord, EncodedBatch, GoneRecord, JournalFrame, WarcCompression } from '../archive/mod.ts';
import type { UrlRulesPlan } from '../url/mod.ts';
import type { ContentOwner } from './crawl-state.ts';
import type { Answer, Reading } from './reading.ts';

/** A thread's setting, as plain data. */
export interface ReaderOptions {
  urlRules: UrlRulesPlan;
  maxBodyBytes: number;
  /** The paths of modules with extractors. */
  extractors: readonly string[];
}

/** What becomes of an answer that a thread has read and holds. */
export interface Verdict {
  id: number;
  /** Its body is archived already, under this URL. */
  duplicateOf: ContentOwner | null;
  /** For the journal: the page as it was read, another record, or nothing. `drop`: nor for the archive. */
  record: 'page' | AliasRecord | GoneRecord | 'drop' | null;
}

export type ReaderRequest =
  | { kind: 'read'; answers: HeldAnswer[] }
  | { kind: 'write'; verdicts: Verdict[]; compression: WarcCompression };

/** Its payload is in memory that both threads see, and stays as it is until the answer is written. */
export interface HeldAnswer extends Answer {
  id: number;
  /** Extractors are not asked: threads that had this answer have died before. */
  plain: boolean;
}

/** In answer to a `write`; handed over, so whoever has it frees the bytes when they are written. */
export interface Written {
  archive: EncodedBatch & { bytes: Uint8Array<ArrayBuffer> };
  journal: (JournalFrame & { payload: Uint8Array<ArrayBuffer> })[];
}

export type ReaderReply =
  | { kind: 'read'; readings: Reading[] }
  | { kind: 'written'; written: Written }
  | { kind: 'extractor'; name: string; url: string; message: string }
  | { kind: 'failed'; message: string };
