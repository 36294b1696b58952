/**
 * Parses archived records in a parser pool, as the crawl parses responses. If a record hangs or crashes the parser
 * thread, only that record fails.
 *
 *   read(record) -> thread: parse -> Meaning; if the thread died, `failed` with the reason
 */
import { deathReason, type Log, ParserPool } from '../base/mod.ts';
import { logReadingNotes, type ReadingPlan } from '../page/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import type { RecordMeaning } from './archived-page.ts';
import type { WarcRecord } from './warc/mod.ts';

/** The memory limit of the parser thread in megabytes; far more than any record needs. */
const MAX_OLD_MB = 1024;

interface RecordReaderOptions {
  /** The operator's choices about reading pages, such as extractors. */
  reading: ReadingPlan;
  limitMs: number;
  log: Log;
}

export interface RecordInput {
  url: CanonicalUrl;
  /**
   * The record to parse. Its block is alone in its buffer, so that the buffer can be transferred to the
   * thread.
   */
  record: Omit<WarcRecord, 'block'> & { block: Uint8Array };
}

export class RecordReader {
  readonly #pool: ParserPool<RecordInput, RecordMeaning>;

  constructor({ reading, limitMs, log }: RecordReaderOptions) {
    this.#pool = new ParserPool({
      file: new URL('./record-reader-thread.ts', import.meta.url),
      data: reading,
      // A single thread is enough: callers handle records in order, so a second thread would mostly wait for
      // the first.
      threads: 1,
      ...{ limitMs, log },
      resourceLimits: { maxOldGenerationSizeMb: MAX_OLD_MB },
      onNote: logReadingNotes(log),
    });
    this.#pool.warm();
  }

  read(record: WarcRecord, url: CanonicalUrl): Promise<RecordMeaning> {
    const meaning = this.#read(record, url);
    // Prevents an unhandled rejection: the caller may await the promise later or never.
    meaning.catch(() => {});
    return meaning;
  }

  close(): void {
    void this.#pool.close();
  }

  async #read(
    { type, targetUri, date, fields, block }: WarcRecord,
    url: CanonicalUrl,
  ): Promise<RecordMeaning> {
    const record = { type, targetUri, date, fields, block: new Uint8Array(block) };
    const outcome = await this.#pool.run({ url, record }, { name: url, sizeBytes: block.length });
    if (outcome.kind === 'done') return outcome.output;
    const reason =
      outcome.kind === 'died'
        ? deathReason(outcome.death, outcome.limitMs)
        : `cannot be read: ${outcome.kind === 'failed' ? outcome.message : outcome.kind}`;
    return { kind: 'failed', reason };
  }
}
