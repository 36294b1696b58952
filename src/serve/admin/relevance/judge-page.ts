/** Serves `/admin/relevance`: the list of queries, and the results of one of them with the buttons that judge them. */
import type { FastifyInstance } from 'fastify';
import type { SearchResult } from '../../../query/mod.ts';
import { RequestProblem } from '../../errors.ts';
import { type Html, html } from '../../html.ts';
import { sendFile } from '../../operations/mod.ts';
import type { ServerContext } from '../../server-context.ts';
import { type Session, sessionOf } from '../../sign-in/mod.ts';
import { formRoute } from '../form-action.ts';
import { hiddenSecret, sendPage } from '../frame.ts';
import { askForm, judgeAddress, listPage, PAGE } from './query-list.ts';
import type { DeskQuery, RelevanceDesk } from './relevance-desk.ts';

const RESULTS = 10;
const MAX_IMPORT_BYTES = 8 * 1024 * 1024;
/** The names of the grades. */
const GRADES = ['not relevant', 'related', 'good', 'perfect'] as const;
const FILES = { queries: 'queries.tsv', qrels: 'qrels.txt' } as const;

export function judgeRoutes(server: FastifyInstance, site: ServerContext, desk: RelevanceDesk): void {
  server.get(PAGE, async (request, reply) => {
    const { q = '' } = request.query as { q?: string };
    const query = String(q).trim();
    const session = sessionOf(request);
    if (query === '')
      return sendPage(site, request, reply, { title: 'Relevance', main: listPage(desk, session) });
    const { results } = await site.searcher.search({ query, offset: 0, limit: RESULTS, asTyped: true });
    const main = html`${askForm(query)}${judgePage({ query, results, desk, session })}`;
    return sendPage(site, request, reply, { title: `Judge: ${query}`, main });
  });
  formRoute(server, `${PAGE}/judge`, nextResult, ({ q = '', url = '', grade = '', at = '' }, who) => {
    desk.judge(q, url, grade === '' ? Number.NaN : Number(grade), who);
    return `Result ${at}: ${grade}, ${GRADES[Number(grade)]}.`;
  });
  formRoute(server, `${PAGE}/queries`, PAGE, ({ queries = '' }, who) => {
    const added = desk.addQueries(
      queries.split('\n').filter((line) => line.trim() !== ''),
      who,
    );
    return `${added} ${added === 1 ? 'query is' : 'queries are'} new in the list.`;
  });
  const importing = { bodyLimit: MAX_IMPORT_BYTES };
  formRoute(
    server,
    `${PAGE}/import`,
    PAGE,
    ({ queries = '', qrels = '' }, who) => {
      const added = desk.importFiles({ queries, qrels }, who);
      return `Imported ${added.judgements} judgements and ${added.queries} new queries.`;
    },
    importing,
  );
  server.get(`${PAGE}/export`, (request, reply) => {
    const { file = '' } = request.query as { file?: string };
    if (file !== 'queries' && file !== 'qrels')
      throw new RequestProblem(404, 'no-file', 'The files are "queries" and "qrels".');
    return sendFile(reply, FILES[file], Buffer.from(desk.exportFile(file)));
  });
}

/** Returns the address of the result after the judged one; after the last result, of the links to other queries. */
function nextResult({ q = '', at = '', of = '' }: Readonly<Record<string, string>>): string {
  const next = Number(at) + 1;
  return `${PAGE}?q=${encodeURIComponent(q)}#${next > Number(of) ? 'further' : `result-${next}`}`;
}

interface JudgedPage {
  query: string;
  results: readonly SearchResult[];
  desk: RelevanceDesk;
  session: Session;
}

function judgePage({ query, results, desk, session }: JudgedPage): Html {
  const grades = results.map(({ url }) => desk.gradeOf(query, url));
  const judged = grades.filter((grade) => grade !== null).length;
  const form = { query, of: results.length, session };
  return html`<section id="results" class="card" tabindex="-1" aria-labelledby="results-title" data-judging><h2 id="results-title">Results</h2>
${
  results.length === 0
    ? html`<p>Nothing is found, so there is nothing to judge.</p>`
    : html`<p class="soft">${judged} of ${results.length} results are judged. ${session.role === 'operator' ? keysNote() : null}</p>
<ol class="judging">${results.map((result, at) => resultOf(result, grades[at]!, { ...form, at: at + 1 }))}</ol>`
}
${furtherQueries(query, desk.queries())}</section>`;
}

function keysNote(): Html {
  return html`While a result has the focus, the keys <kbd>0</kbd> to <kbd>3</kbd> judge it, <kbd>↑</kbd> and <kbd>↓</kbd> move, and <kbd>n</kbd> shows the next query. While the list has it, they judge the first result without a grade.`;
}

interface GradeForm {
  query: string;
  at: number;
  of: number;
  session: Session;
}

function resultOf({ url, title, snippet }: SearchResult, grade: number | null, form: GradeForm): Html {
  const { at, session } = form;
  return html`<li id="result-${at}" tabindex="-1"><h3><a href="${url}" rel="noreferrer">${title || url}</a></h3>
<p class="soft url">${url}</p>
<p>${snippet}</p>
${session.role === 'operator' ? gradeForm(url, title || url, grade, form) : shownGrade(grade)}</li>`;
}

function shownGrade(grade: number | null): Html {
  return html`<p><span class="tag">${grade === null ? 'not judged' : `${grade} ${GRADES[grade]}`}</span></p>`;
}

function gradeForm(
  url: string,
  title: string,
  grade: number | null,
  { query, at, of, session }: GradeForm,
): Html {
  return html`<form method="post" action="${PAGE}/judge">${hiddenSecret(session)}
<input type="hidden" name="q" value="${query}"><input type="hidden" name="url" value="${url}"><input type="hidden" name="at" value="${at}"><input type="hidden" name="of" value="${of}">
<div class="grades" role="group" aria-label="Grade of result ${at}">${GRADES.map(
    (name, value) =>
      html`<button name="grade" value="${value}" aria-pressed="${value === grade ? 'true' : 'false'}">${value} ${name}<span class="unseen">: ${title}</span></button>`,
  )}</div></form>`;
}

/** Links to the queries before and after one, and to the next one without judgements. */
function furtherQueries(query: string, queries: readonly DeskQuery[]): Html {
  const at = queries.findIndex(({ text }) => text === query);
  const after = [...queries.slice(at + 1), ...queries.slice(0, Math.max(0, at))];
  const unjudged = after.find(({ judged }) => judged === 0);
  const [before, next] = [queries[at - 1], queries[at + 1]];
  return html`<nav id="further" tabindex="-1" class="row" aria-label="Queries">
${at < 0 ? null : html`<span>Query ${at + 1} of ${queries.length}</span>`}
${before && html`<a class="button" rel="prev" href="${judgeAddress(before.text)}">Previous query</a>`}
${at >= 0 && next ? html`<a class="button" rel="next" href="${judgeAddress(next.text)}">Next query</a>` : null}
${unjudged && html`<a class="button" href="${judgeAddress(unjudged.text)}" data-unjudged>Next query without judgements</a>`}
<a class="button" href="/admin/relevance/profiles?q=${encodeURIComponent(query)}">Compare profiles for this query</a>
<a href="${PAGE}">All queries</a></nav>`;
}
