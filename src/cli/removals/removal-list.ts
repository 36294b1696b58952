/**
 * `removed.json` in the data directory: the list of the URLs, prefixes and hosts that the operator has removed.
 * Every part of the engine obeys it, in any process: the crawl requests none of these URLs, imports and
 * rebuilds skip them, and the index has none of their documents.
 *
 *   {"format":1,"revision":3,"settled":2,"rules":[
 *     {"kind":"url","value":"https://example.org/a","removedAt":1767323045000,"revision":3,"purge":"pending"}],"checksum":…}
 *
 * Each change increases `revision`. `settled` is the last revision that all data reflect: index, crawl state,
 * journal, and the archive if the pages are purged. While it is smaller, work is left, and the next process that
 * holds the locks does it (settle-removals.ts). So a crash at any moment loses no removal.
 *
 * `because` of a rule is the URL that the operator named; the rule itself is for another URL of the same
 * document. If the operator allows the named URL again, this rule is removed too.
 */
import { join } from 'node:path';
import { acquireLock, CorruptError, type Directory, parseSealedJson, sealJson } from '../../base/mod.ts';
import { type RemovalKind, type RemovalTarget, RemovedUrls } from './removed-urls.ts';

const FILE = 'removed.json';
const FORMAT = 1;
const KEYS = ['format', 'revision', 'settled', 'rules'];
const ADVICE = 'restore the file from a backup; without it, removed pages are crawled again';

export interface RemovalRule extends RemovalTarget {
  removedAt: number;
  /** The revision of the list that added the rule, for readers of the change feed; absent in lists of earlier versions. */
  revision?: number;
  /** The URL that the operator named, if this rule is for another URL of the same document. */
  because?: string;
  /** `pending`: the pages are to be deleted from archive and journal too; `done`: they have been. */
  purge: 'no' | 'pending' | 'done';
}

export interface RemovalList {
  revision: number;
  /** The last revision that all data reflect. */
  settled: number;
  rules: readonly RemovalRule[];
}

const REMOVAL_KINDS: readonly RemovalKind[] = ['url', 'prefix', 'host'];
const PURGES: readonly RemovalRule['purge'][] = ['no', 'pending', 'done'];
const EMPTY: RemovalList = { revision: 0, settled: 0, rules: [] };

export function readRemovals(root: Directory): RemovalList {
  if (!root.has(FILE)) return EMPTY;
  const file = join(root.path, FILE);
  const value = parseSealedJson(root.read(FILE), { file, keys: KEYS, advice: ADVICE });
  const { format, revision, settled, rules } = value as unknown as RemovalList & { format: number };
  const isValid =
    format === FORMAT &&
    [revision, settled].every(Number.isSafeInteger) &&
    Array.isArray(rules) &&
    rules.every(isRule);
  if (!isValid) throw new CorruptError(file, 0, `a list of format ${FORMAT}`, `format ${format}`, ADVICE);
  return { revision, settled, rules };
}

function isRule(rule: Partial<RemovalRule> | null): boolean {
  return (
    rule !== null &&
    REMOVAL_KINDS.includes(rule.kind!) &&
    typeof rule.value === 'string' &&
    Number.isFinite(rule.removedAt) &&
    PURGES.includes(rule.purge!) &&
    ['string', 'undefined'].includes(typeof rule.because)
  );
}

/** Replaces the list in one step. Processes that change it at the same time wait for each other. */
export function changeRemovals(root: Directory, change: (list: RemovalList) => RemovalList): RemovalList {
  const lock = acquireLock(root, 'removed', 'gyre remove');
  try {
    const list = change(readRemovals(root));
    root.replace(FILE, sealJson({ format: FORMAT, ...list }));
    return list;
  } finally {
    lock.release();
  }
}

export function isSettled({ revision, settled }: RemovalList): boolean {
  return settled >= revision;
}

/** Returns the set of URLs that are removed, or that still have to be purged. */
export function removedBy({ rules }: RemovalList): RemovedUrls {
  return new RemovedUrls(rules);
}

/** Adds rules. A rule that the list already has stays unchanged, unless the new rule asks for a purge. */
export function withRules(list: RemovalList, added: readonly RemovalRule[]): RemovalList {
  const rules = new Map<string, RemovalRule>(list.rules.map((rule) => [keyOf(rule), rule]));
  const revision = list.revision + 1;
  for (const rule of added) {
    const known = rules.get(keyOf(rule));
    if (!known) rules.set(keyOf(rule), { ...rule, revision });
    else if (rule.purge === 'pending' && known.purge === 'no')
      rules.set(keyOf(rule), { ...known, purge: rule.purge });
  }
  return { ...list, revision, rules: [...rules.values()] };
}

/** Removes the rule for a target, and the rules that were added because of it. */
export function withoutRule(list: RemovalList, target: RemovalTarget): RemovalList {
  const rules = list.rules.filter(
    (rule) => keyOf(rule) !== keyOf(target) && !(target.kind === 'url' && rule.because === target.value),
  );
  return { ...list, revision: list.revision + 1, rules };
}

export function hasRule(list: RemovalList, target: RemovalTarget): boolean {
  return list.rules.some((rule) => keyOf(rule) === keyOf(target));
}

function keyOf({ kind, value }: { kind: RemovalKind; value: string }): string {
  return `${kind} ${value}`;
}

const CHECK_MS = 500;

/**
 * Follows the list while a process runs. It reads the file again only when the file has changed, at most twice a
 * second.
 */
export class LiveRemovals {
  readonly #root: Directory;
  #checkedAt = 0;
  #bytes: Buffer = Buffer.alloc(0);
  #list = EMPTY;
  #urls = new RemovedUrls([]);

  constructor(root: Directory) {
    this.#root = root;
  }

  get list(): RemovalList {
    this.#follow();
    return this.#list;
  }

  get urls(): RemovedUrls {
    this.#follow();
    return this.#urls;
  }

  #follow(): void {
    const now = Date.now();
    if (Math.abs(now - this.#checkedAt) < CHECK_MS) return;
    this.#checkedAt = now;
    if (!this.#root.has(FILE)) return;
    const bytes = this.#root.read(FILE);
    if (bytes.equals(this.#bytes)) return;
    this.#bytes = bytes;
    this.#list = readRemovals(this.#root);
    this.#urls = removedBy(this.#list);
  }
}
