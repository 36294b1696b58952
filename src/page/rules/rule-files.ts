/**
 * Keeps the operator's files of record rules in force while they change. A file that changed is read again within a
 * second. If it is broken, its last good rules stay in force, and the problem is reported once, with file and line.
 */
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { messageOf, UsageError } from '../../base/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { rulesFor } from './apply-rules.ts';
import { parseRecordRules, RuleError, type SiteRecordRules } from './record-rules.ts';

const CHECK_MS = 1000;

interface RuleFile {
  path: string;
  rules: readonly SiteRecordRules[];
  /** The time of the last change and the size when the file was read. */
  stamp: string;
}

export class RuleFiles {
  readonly #files: RuleFile[];
  readonly #report: (problem: string) => void;
  readonly #now: () => number;
  #checkedAt: number;

  /** Reads the files. Throws a UsageError if one of them is broken. */
  constructor(
    paths: readonly string[],
    report: (problem: string) => void = () => {},
    now: () => number = Date.now,
  ) {
    this.#files = paths.map((path) => ({ path, rules: readRules(path), stamp: stampOf(path) }));
    this.#report = report;
    this.#now = now;
    this.#checkedAt = now();
  }

  /** Returns the rules in force for a URL. */
  rulesFor(url: CanonicalUrl): SiteRecordRules[] {
    if (this.#files.length === 0) return [];
    this.#refresh();
    return this.#files.flatMap(({ rules }) => rulesFor(rules, url));
  }

  #refresh(): void {
    const now = this.#now();
    if (now - this.#checkedAt < CHECK_MS) return;
    this.#checkedAt = now;
    for (const file of this.#files) {
      const stamp = stampOf(file.path);
      if (stamp === file.stamp) continue;
      file.stamp = stamp;
      try {
        file.rules = readRules(file.path);
      } catch (error) {
        this.#report(`${messageOf(error)}; the last good rules stay in force`);
      }
    }
  }
}

function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : 'missing';
}

function readRules(path: string): SiteRecordRules[] {
  try {
    return parseRecordRules(readFileSync(path, 'utf8'), basename(path));
  } catch (cause) {
    const place = cause instanceof RuleError ? `${path} line ${cause.line}` : path;
    throw new UsageError('bad-record-rules', `record rules: ${place}: ${messageOf(cause)}`, { cause });
  }
}
