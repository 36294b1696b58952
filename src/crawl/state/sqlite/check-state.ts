/**
 * Reads all of `crawl.db` and reports errors. Its bytes are checked against the seal, its structure by SQLite,
 * and its rows against the fingerprints of their URLs; the tables must agree with each other.
 *
 * A repair rebuilds indexes, recounts the tally and removes URLs that do not match their fingerprints,
 * because a damaged URL must not be fetched. It cannot restore data that SQLite cannot read. The caller holds
 * the crawl lock.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CorruptError, type Directory, GyreError, messageOf } from '../../../base/mod.ts';
import { type CanonicalUrl, canonicalize, fingerprint, originOf } from '../../../url/mod.ts';
import { parseMarks } from '../commit-marks.ts';
import type { CommitMarks } from '../crawl-state.ts';
import { checkDatabaseSeal, DOCTOR_ADVICE, sealDatabase } from './database-seal.ts';
import { STATE_FILE } from './sqlite-schema.ts';

const MAX_PROBLEMS = 20;
const STATES = ['ready', 'done', 'refused', 'failed'];

interface StateCheck {
  urls: number;
  hosts: number;
  /** Marks of the last commit; null if there was none or if they are damaged. */
  marks: CommitMarks | null;
  /** Descriptions of problems that a repair can fix. */
  repairable: string[];
  /** Descriptions of problems that a repair cannot fix. */
  lost: string[];
}

/**
 * Checks `crawl.db`; returns null if there is no crawl. With `repair`, fixes the repairable problems and seals the
 * database again.
 */
export function checkState(directory: Directory, { repair = false } = {}): StateCheck | null {
  if (!directory.has(STATE_FILE)) return null;
  const check: StateCheck = { urls: 0, hosts: 0, marks: null, repairable: [], lost: [] };
  try {
    checkDatabaseSeal(directory, STATE_FILE);
  } catch (error) {
    if (!(error instanceof GyreError)) throw error;
    check.repairable.push(`${error.message.replace(/; run gyre doctor.*$/, '')}: a value in it may be wrong`);
  }
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(join(directory.path, STATE_FILE), { readOnly: !repair, timeout: 5000 });
    new StateChecker(database, check, repair).run();
    if (repair) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    check.lost.push(messageOf(error));
  } finally {
    database?.close();
  }
  if (repair && check.lost.length === 0) sealDatabase(directory, STATE_FILE);
  return check;
}

class StateChecker {
  readonly #database: DatabaseSync;
  readonly #check: StateCheck;
  readonly #repair: boolean;

  constructor(database: DatabaseSync, check: StateCheck, repair: boolean) {
    this.#database = database;
    this.#check = check;
    this.#repair = repair;
  }

  run(): void {
    this.#structure();
    this.#marks();
    this.#urls();
    this.#verdicts();
    this.#tally();
  }

  #structure(): void {
    const rows = this.#database.prepare(`PRAGMA integrity_check(${MAX_PROBLEMS})`).all();
    const found = rows.map((row) => String(row.integrity_check)).filter((text) => text !== 'ok');
    const isOfIndex = (text: string) => /\bindex\b/i.test(text);
    this.#check.repairable.push(...found.filter(isOfIndex));
    this.#check.lost.push(...found.filter((text) => !isOfIndex(text)));
    if (this.#repair && found.some(isOfIndex)) this.#database.exec('REINDEX');
  }

  #marks(): void {
    const row = this.#database.prepare(`SELECT value FROM mark WHERE name = 'commit'`).get();
    if (!row) return;
    try {
      this.#check.marks = parseMarks(row.value as string, `${STATE_FILE}, table mark`, DOCTOR_ADVICE);
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      this.#check.lost.push(error.message.replace(/; run gyre doctor.*$/, ''));
    }
  }

  /** Checks that every URL has its fingerprint, its host and a valid state. */
  #urls(): void {
    const rows = this.#database.prepare(`SELECT url.fingerprint, url.url, url.state, host.origin FROM url
      LEFT JOIN host ON host.id = url.host`);
    rows.setReadBigInts(true);
    const wrong: bigint[] = [];
    for (const { fingerprint: key, url, state, origin } of rows.iterate()) {
      this.#check.urls++;
      const problem = urlProblem(url as string, key as bigint, origin as string | null, state as string);
      if (problem === null) continue;
      wrong.push(key as bigint);
      if (wrong.length <= MAX_PROBLEMS) this.#check.repairable.push(`table url: ${problem}`);
    }
    this.#check.hosts = this.#number('SELECT count(*) AS value FROM host');
    if (!this.#repair || wrong.length === 0) return;
    for (const table of ['url', 'capture', 'verdict', 'sketch', 'claim']) {
      const remove = this.#database.prepare(`DELETE FROM ${table} WHERE fingerprint = ?`);
      for (const key of wrong) remove.run(key);
    }
  }

  #verdicts(): void {
    const rows = this.#database.prepare(
      'SELECT fingerprint, url, of_fingerprint AS ofKey, of_url AS ofUrl FROM verdict',
    );
    rows.setReadBigInts(true);
    const wrong: bigint[] = [];
    for (const { fingerprint: key, url, ofKey, ofUrl } of rows.iterate()) {
      const isOf = ofUrl === null || fingerprint(ofUrl as CanonicalUrl) === ofKey;
      if (isOf && fingerprint(url as CanonicalUrl) === key) continue;
      wrong.push(key as bigint);
      if (wrong.length <= MAX_PROBLEMS) {
        this.#check.repairable.push(`table verdict: ${url} or ${ofUrl} does not match its fingerprint`);
      }
    }
    if (!this.#repair) return;
    const remove = this.#database.prepare('DELETE FROM verdict WHERE fingerprint = ?');
    for (const key of wrong) remove.run(key);
  }

  #tally(): void {
    for (const state of STATES) {
      const counted = this.#number(`SELECT count(*) AS value FROM url WHERE state = '${state}'`);
      const kept = this.#number(`SELECT value FROM tally WHERE name = '${state}'`);
      if (counted === kept) continue;
      this.#check.repairable.push(`table tally: expected ${counted} URLs that are ${state}, got ${kept}`);
      if (this.#repair)
        this.#database.prepare('UPDATE tally SET value = ? WHERE name = ?').run(counted, state);
    }
  }

  #number(sql: string): number {
    return (this.#database.prepare(sql).get()?.value as number | undefined) ?? 0;
  }
}

function urlProblem(url: string, key: bigint, origin: string | null, state: string): string | null {
  const canonical = canonicalize(url);
  if (canonical === null || fingerprint(url as CanonicalUrl) !== key)
    return `${url} does not match its fingerprint`;
  if (origin !== originOf(canonical)) return `${url} belongs to the host ${origin}`;
  return STATES.includes(state) ? null : `${url} is in the state "${state}"`;
}
