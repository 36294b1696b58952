/**
 * The table of marks: the valid lengths of the files beside the database, the time of the last commit, the epoch of
 * its owner, and the URL rules.
 */
import { GyreError, parseSealedJson, sealJson } from '../../base/mod.ts';
import type { CommitMarks, Owner } from './crawl-state.ts';
import { DOCTOR_ADVICE } from './database-seal.ts';
import type { Statements } from './sqlite-statements.ts';

/** The URL rules that decided about all URLs whose `found` is greater than `since`. */
interface RulesMark {
  key: string;
  since: number;
}

const MARK_KEYS = ['warc', 'journal', 'seenBytes', 'seenCheck', 'sketches'];

export class SqliteMarks {
  readonly #statements: Statements;
  readonly #file: string;

  /** `file` is the path of the database, for error messages. */
  constructor(statements: Statements, file: string) {
    this.#statements = statements;
    this.#file = file;
  }

  /** Null before the first commit. */
  read(): CommitMarks | null {
    const json = this.#value('commit');
    return json === null ? null : readMarks(json, this.#file);
  }

  write(marks: CommitMarks): void {
    this.#set('commit', sealJson(marks).toString());
  }

  committedAt(): number | null {
    const time = this.#value('clock');
    return time === null ? null : Number(time);
  }

  writeClock(now: number): void {
    this.#set('clock', String(now));
  }

  rules(): RulesMark | null {
    const json = this.#value('rules');
    return json === null ? null : (JSON.parse(json) as RulesMark);
  }

  writeRules(rules: RulesMark): void {
    this.#set('rules', JSON.stringify(rules));
  }

  /** Refuses to write after another owner with a later epoch has written. Must run within a transaction. */
  checkEpoch({ epoch }: Owner): void {
    const stored = Number(this.#value('epoch') ?? 0);
    if (stored === epoch) return;
    if (stored > epoch)
      throw new GyreError('stale-epoch', `${this.#file}: epoch ${stored} has begun, this is ${epoch}`);
    this.#set('epoch', String(epoch));
  }

  #value(name: string): string | null {
    const row = this.#statements('SELECT value FROM mark WHERE name = ?').get(name);
    return (row?.value as string | undefined) ?? null;
  }

  #set(name: string, value: string): void {
    this.#statements('INSERT OR REPLACE INTO mark VALUES (?, ?)').run(name, value);
  }
}

/** Verifies the checksum, because archive and journal are truncated to these marks. */
export function readMarks(json: string, file: string): CommitMarks {
  const options = { file: `${file}, table mark`, keys: MARK_KEYS, advice: DOCTOR_ADVICE };
  return parseSealedJson(Buffer.from(json), options) as unknown as CommitMarks;
}
