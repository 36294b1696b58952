/**
 * The judgements of the relevance desk, in the formats of TREC, so that other tools can read them:
 *
 *   judgements/queries.tsv   12<TAB>rowing boats
 *   judgements/qrels.txt     12 0 https://example.org/boats 3
 *
 * Lines are only appended. If a result is judged again, the last line counts. The grades are 0 (not relevant) to 3 (the
 * best page for the query); a document is an imported id or a URL. The audit log has who judged, and when.
 */
import { appendFileSync, existsSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { acquireLock, type Directory, openDirectory, UsageError } from '../../base/mod.ts';
import {
  formatQrels,
  formatTopics,
  parseQrels,
  parseTopics,
  type Qrels,
  type Topic,
} from '../../scoring/mod.ts';
import { JUDGEMENTS } from '../profiles/mod.ts';

const QUERIES = 'queries.tsv';
const QRELS = 'qrels.txt';
const MAX_GRADE = 3;
const MAX_QUERY_LENGTH = 200;
const MAX_QUERIES = 10_000;

interface JudgedList {
  topics: readonly Topic[];
  qrels: Qrels;
}

let cached: { root: string; version: string; judgements: JudgedList } | null = null;

/** Reads the judgements. They are read again only after the files have changed. */
export function readJudgements(root: Directory): JudgedList {
  const version = [QUERIES, QRELS].map((name) => versionOf(pathOf(root, name))).join(' ');
  if (cached?.root === root.path && cached.version === version) return cached.judgements;
  const judgements = {
    topics: parseTopics(textOf(root, QUERIES), pathOf(root, QUERIES)),
    qrels: parseQrels(textOf(root, QRELS), pathOf(root, QRELS)),
  };
  cached = { root: root.path, version, judgements };
  return judgements;
}

/** Adds queries to the list, without those that it has already. Returns the number of added queries. */
export function addQueries(root: Directory, texts: readonly string[]): number {
  return inTurn(root, () => {
    const { topics } = readJudgements(root);
    const known = new Set(topics.map(({ text }) => text));
    const wanted = [...new Set(texts.map(normalizeQuery))].filter((text) => !known.has(text));
    append(root, QUERIES, formatTopics(numbered(topics, wanted)));
    return wanted.length;
  });
}

/** Stores the grade of a document for a query, which is added to the list if necessary. */
export function judge(root: Directory, query: string, document: string, grade: number): void {
  if (!Number.isInteger(grade) || grade < 0 || grade > MAX_GRADE)
    throw new UsageError('bad-judgement', `expected a grade from 0 to ${MAX_GRADE}`);
  if (document === '' || /\s/.test(document))
    throw new UsageError('bad-judgement', `expected a document without blanks, got "${document}"`);
  addQueries(root, [query]);
  const text = normalizeQuery(query);
  inTurn(root, () => {
    const { id } = readJudgements(root).topics.find((topic) => topic.text === text)!;
    append(root, QRELS, `${id} 0 ${document} ${grade}\n`);
  });
}

/**
 * Adds the queries and judgements of two files. Queries with the same text are the same, whatever their ids; an imported
 * judgement replaces the present one of the same document.
 */
export function importJudgements(
  root: Directory,
  files: { queries: string; qrels: string },
): { queries: number; judgements: number } {
  const topics = parseTopics(files.queries, 'queries');
  const qrels = parseQrels(files.qrels, 'judgements');
  const unknown = [...qrels.keys()].find((id) => !topics.some((topic) => topic.id === id));
  if (unknown !== undefined)
    throw new UsageError('bad-judgements', `the judgements have a query ${unknown} that the queries lack`);
  const added = addQueries(
    root,
    topics.map(({ text }) => text),
  );
  return inTurn(root, () => {
    const idOf = new Map(readJudgements(root).topics.map(({ id, text }) => [text, id]));
    const own = new Map<string, Map<string, number>>();
    for (const { id, text } of topics) {
      const ownId = idOf.get(normalizeQuery(text))!;
      const judged = qrels.get(id);
      if (judged) own.set(ownId, new Map([...(own.get(ownId) ?? []), ...judged]));
    }
    append(root, QRELS, formatQrels(own));
    return { queries: added, judgements: [...own.values()].reduce((sum, { size }) => sum + size, 0) };
  });
}

/** Returns the judgements as files. Of repeated judgements only the last one is written. */
export function exportJudgements(root: Directory): { queries: string; qrels: string } {
  const { topics, qrels } = readJudgements(root);
  return { queries: formatTopics(topics), qrels: formatQrels(qrels) };
}

/** Returns a query as it is stored: without surplus blanks. */
export function normalizeQuery(query: string): string {
  const text = query.trim().replace(/[\s\p{Cc}]+/gu, ' ');
  if (text === '' || text.length > MAX_QUERY_LENGTH)
    throw new UsageError('bad-query', `expected a query of 1 to ${MAX_QUERY_LENGTH} characters`);
  return text;
}

function numbered(topics: readonly Topic[], texts: readonly string[]): Topic[] {
  if (topics.length + texts.length > MAX_QUERIES)
    throw new UsageError('list-full', `the list of queries would have more than ${MAX_QUERIES}`);
  const last = Math.max(0, ...topics.map(({ id }) => (/^\d{1,9}$/.test(id) ? Number(id) : 0)));
  return texts.map((text, at) => ({ id: String(last + 1 + at), text }));
}

/** Appends lines. A line that a crash cut off is removed first. */
function append(root: Directory, name: string, lines: string): void {
  if (lines === '') return;
  openDirectory(join(root.path, JUDGEMENTS));
  const path = pathOf(root, name);
  if (existsSync(path)) truncateSync(path, Buffer.byteLength(textOf(root, name)));
  appendFileSync(path, lines, { flush: true });
}

function inTurn<Result>(root: Directory, work: () => Result): Result {
  const lock = acquireLock(root, 'judgements', 'the relevance desk');
  try {
    return work();
  } finally {
    lock.release();
  }
}

/** Returns the text of a file up to its last whole line; empty if there is none. */
function textOf(root: Directory, name: string): string {
  const path = pathOf(root, name);
  if (!existsSync(path)) return '';
  const text = readFileSync(path, 'utf8');
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

function versionOf(path: string): string {
  if (!existsSync(path)) return '';
  const { mtimeMs, size } = statSync(path);
  return `${mtimeMs}-${size}`;
}

function pathOf(root: Directory, name: string): string {
  return join(root.path, JUDGEMENTS, name);
}
