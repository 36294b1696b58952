/**
 * The judgements of the relevance desk, in the formats of TREC, so that other tools can read them:
 *
 *   judgements/queries.tsv   12<TAB>rowing boats
 *   judgements/qrels.txt     12 0 https://example.org/boats 3
 *
 * Lines are only appended. If a result is judged again, the last line counts. The grades are 0 (not relevant) to 3 (the
 * best page for the query); a document is an imported id or a URL. The audit log has who judged, and when.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Directory } from '../../base/mod.ts';
import { parseQrels, parseTopics, type Qrels, type Topic } from '../../scoring/mod.ts';
import { JUDGEMENTS } from '../profiles/mod.ts';

const QUERIES = 'queries.tsv';
const QRELS = 'qrels.txt';

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
