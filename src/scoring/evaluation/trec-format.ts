/**
 * Reads the files of judged test collections in the formats of TREC.
 *
 *   topics   `12<TAB>what is a frontier`, a line each; or <top> <num> Number: 12 <title> what is a frontier </top>
 *   qrels    `12 0 DOCUMENT 2`: query, unused, document, grade
 *   run      `12 Q0 DOCUMENT 1 17.25 gyre`: query, Q0, document, rank, score, the name of the run
 *
 * A duplicate query or result is an error, as in trec_eval, because it is ambiguous. If a judgement is
 * repeated, the last one counts, because judges may correct themselves.
 */
import { UsageError } from '../../base/mod.ts';
import { inOrder, type Qrels, type Run } from './metrics.ts';

export interface Topic {
  id: string;
  text: string;
}

/**
 * Parses a topics file in either of its two forms: one that begins with a tag has TREC topics. The title of a TREC topic is used as the query, because it
 * is closest to typed text.
 */
export function parseTopics(text: string, file: string): Topic[] {
  if (/^\s*</.test(text) && /<top>/i.test(text)) return withoutTwins(parseTrecTopics(text, file), file);
  const topics = linesOf(text).map(({ line, number }) => {
    const [, id, query] = /^(\S+)[\t ]+(.*\S)\s*$/.exec(line) ?? [];
    if (id === undefined || query === undefined) throw malformed(file, number, 'a query: ID<TAB>words', line);
    return { id, text: query };
  });
  return withoutTwins(topics, file);
}

function withoutTwins(topics: Topic[], file: string): Topic[] {
  const seen = new Set<string>();
  for (const { id } of topics) {
    if (seen.has(id)) throw new UsageError('bad-topics', `${file}: query id ${id} is used twice`);
    seen.add(id);
  }
  return topics;
}

function parseTrecTopics(text: string, file: string): Topic[] {
  const topics = text.split(/<top>/i).slice(1);
  return topics.map((topic, at) => {
    const id = partOf(topic, 'num').replace(/^Number:\s*/i, '');
    const title = partOf(topic, 'title').replace(/^Topic:\s*/i, '');
    if (id === '' || title === '')
      throw new UsageError(
        'bad-topics',
        `${file}: topic ${at + 1} lacks <num> or <title>; expected <top> <num> Number: 12 <title> words </top>`,
      );
    return { id, text: title.replace(/\s+/g, ' ') };
  });
}

function partOf(topic: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)`, 'i').exec(topic)?.[1]?.trim() ?? '';
}

export function parseQrels(text: string, file: string): Qrels {
  const qrels = new Map<string, Map<string, number>>();
  for (const { line, number } of linesOf(text)) {
    const [query, , doc, grade] = line.trim().split(/\s+/);
    if (grade === undefined || !/^-?\d+$/.test(grade))
      throw malformed(file, number, 'a judgement: QUERY 0 DOCUMENT GRADE', line);
    const judged = qrels.get(query!) ?? new Map<string, number>();
    qrels.set(query!, judged.set(doc!, Number(grade)));
  }
  return qrels;
}

export function formatTopics(topics: readonly Topic[]): string {
  return topics.map(({ id, text }) => `${id}\t${text}\n`).join('');
}

export function formatQrels(qrels: Qrels): string {
  const lines = [...qrels].flatMap(([query, judged]) =>
    Array.from(judged, ([doc, grade]) => `${query} 0 ${doc} ${grade}\n`),
  );
  return lines.join('');
}

export function formatRun(run: Run, name: string): string {
  const lines = [...run].flatMap(([query, entries]) =>
    inOrder(entries).map(({ doc, score }, at) => `${query} Q0 ${doc} ${at + 1} ${score} ${name}\n`),
  );
  return lines.join('');
}

function linesOf(text: string): { line: string; number: number }[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, at) => ({ line, number: at + 1 }))
    .filter(({ line }) => line.trim() !== '');
}

function malformed(file: string, line: number, expected: string, got: string): UsageError {
  return new UsageError(
    'bad-judgements',
    `${file} line ${line}: expected ${expected}, got "${got.slice(0, 80)}"`,
  );
}
