/**
 * Reads and writes the table of marks: the valid lengths of the files beside the database, the time of the last
 * commit, the epoch of its owner, the key of the URL rules, and the price of visits.
 */
import { GyreError, sealJson } from '../../../base/mod.ts';
import { parseMarks } from '../commit-marks.ts';
import type { CommitMarks, Owner } from '../crawl-state.ts';
import { DOCTOR_ADVICE } from './database-seal.ts';
import type { Statements } from './sqlite-statements.ts';

/** Identifies the URL rules that decided about all URLs discovered after number `since`. */
interface RulesMark {
  key: string;
  since: number;
}

export class SqliteMarks {
  readonly #statements: Statements;
  readonly #file: string;

  /** `file` is the path of the database, which error messages contain. */
  constructor(statements: Statements, file: string) {
    this.#statements = statements;
    this.#file = file;
  }

  /** Returns the marks of the last commit; null before the first. */
  read(): CommitMarks | null {
    const json = this.#value('commit');
    return json === null ? null : parseMarks(json, `${this.#file}, table mark`, DOCTOR_ADVICE);
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

  schedule(): string | null {
    return this.#value('schedule');
  }

  writeSchedule(schedule: string): void {
    this.#set('schedule', schedule);
  }

  /** Throws an error if another owner with a later epoch has already written. Must run within a transaction. */
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
