/**
 * Reads judged queries from a file of lines with fields separated by tabs.
 *
 *   id  kind  query  grade:site/path …
 *
 * A grade is 3 for the page that a person wants, 2 for a page that is as good, 1 for an acceptable page;
 * other pages have grade 0. `site/path` is http://site.DOMAIN[:port]/path. Lines that begin with `#` are
 * comments.
 */

export interface JudgedQuery {
  id: string;
  kind: string;
  query: string;
  /** For each judged page, identified by its `pageKey`, the grade. */
  grades: ReadonlyMap<string, number>;
}

export function parseJudgedQueries(text: string): JudgedQuery[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [id = '', kind = '', query = '', ...judgements] = line.split('\t');
    const grades = judgements.filter(Boolean).map((judgement) => parseJudgement(judgement, line));
    return { id, kind, query, grades: new Map(grades) };
  });
}

function parseJudgement(judgement: string, line: string): [key: string, grade: number] {
  const [, grade, page] = /^([0-3]):(.+)$/.exec(judgement) ?? [];
  if (grade === undefined || page === undefined)
    throw new Error(`expected grade:site/path, got "${judgement}" in the line "${line}"`);
  return [pageKey(page), Number(grade)];
}

/** Returns `site/path` for a URL: without domain, port and fragment, and with `/` for `/index.html`. */
export function pageKey(url: string): string {
  return url
    .replace(/^https?:\/\/([^./:]+)[^/]*/, '$1')
    .replace(/#.*$/, '')
    .replace(/\/index\.html?$/, '/');
}
