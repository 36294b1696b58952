/**
 * `audit.log` in the data directory: one line of JSON for each action of an operator, appended and synchronized
 * before the action is reported as done. Only the owner may read it. No part of Gyre ever shortens it.
 *
 *   {"time":"2026-01-02T03:04:05.678Z","who":"cli:ann","action":"remove","target":"https://example.org/a","purge":true}
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type Directory, escapeControls } from '../../base/mod.ts';
import type { AuditLine } from '../../serve/mod.ts';

const FILE = 'audit.log';
const OWNER_ONLY = 0o600;

export interface AuditEntry {
  /**
   * The person or program that acted: `cli:NAME` for a user of this machine, `web:NAME@ADDRESS` for an account on the
   * admin pages, `key:NAME@ADDRESS` for an API key, `http:ADDRESS` for another program.
   */
  who: string;
  /** The action, such as `remove`, `sign-in` or `pause`. */
  action: string;
  target?: string;
  /** The numbers of items that the action changed, by name. */
  counts?: Readonly<Record<string, number>>;
  [detail: string]: unknown;
}

export function appendAudit(root: Directory, entry: AuditEntry, now: number): void {
  appendFileSync(join(root.path, FILE), `${auditLine(entry, now)}\n`, { mode: OWNER_ONLY, flush: true });
}

/** Returns the line of an entry. A cluster stores these lines in PostgreSQL. */
export function auditLine(entry: AuditEntry, now: number): string {
  return escapeControls(JSON.stringify({ time: new Date(now).toISOString(), ...entry }));
}

/** Returns the user of this machine who runs the command. */
export function cliUser(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    // A container may have a user number without a name.
    return `cli:${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Returns the last lines of the log, the newest first. Lines that are no JSON are skipped. */
export function readAudit(root: Directory, limit: number): AuditLine[] {
  if (!root.has(FILE)) return [];
  const lines = readFileSync(join(root.path, FILE), 'utf8').trimEnd().split('\n');
  return lines.slice(-limit).reverse().flatMap(parseAuditLine);
}

/** Parses a line of the log; a line that is no JSON gives an empty list. */
export function parseAuditLine(line: string): AuditLine[] {
  try {
    return [JSON.parse(line) as AuditLine];
  } catch {
    return [];
  }
}
