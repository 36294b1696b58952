/**
 * Describes an inspection in English: one sentence with the cause, then a section for each stage in the path of a
 * page. The command line prints the report as text; the admin page renders it as HTML.
 */
import { DAY_MS } from '../../base/mod.ts';
import { describeUrlReason } from '../../crawl/mod.ts';
import type { ScoreBreakdown } from '../../scoring/mod.ts';
import type { InspectionReport, ReportRow, ReportSection } from '../../serve/mod.ts';
import { table } from '../arguments.ts';
import { explanationText } from '../explanation.ts';
import { counted } from '../output.ts';
import { describeRobotsRule } from '../robots-report.ts';
import type {
  Cause,
  CrawlFacts,
  IndexFacts,
  Inspection,
  LinkFacts,
  NoScore,
  QueryFacts,
  RecordedVisit,
} from './inspection.ts';

const MAX_VISITS = 10;
const MAX_FEATURES = 8;

export function reportInspection(inspection: Inspection, now: number): InspectionReport {
  const { crawl, links, index, query, cause } = inspection;
  const sections: ReportSection[] = [
    { title: 'URL', rows: urlRows(inspection) },
    ...(crawl ? [{ title: 'Crawl', rows: crawlRows(crawl, now) }] : []),
    { title: 'Visits', rows: visitRows(inspection.visits) },
    ...(crawl?.outcome ? [{ title: 'Document', rows: documentRows(crawl, index) }] : []),
    ...(crawl?.outcome ? [{ title: 'Links', rows: linkRows(links) }] : []),
    { title: 'Index', rows: indexRows(index) },
    ...(query ? [{ title: `Query: ${query.query}`, rows: [], text: queryText(query) }] : []),
  ];
  const isFound = cause.code === 'found' || (cause.code === 'alias' && cause.isFound);
  return { url: inspection.url, isFound, verdict: describeCause(cause), sections };
}

/** Renders a report as text for a terminal. */
export function renderReport({ url, verdict, sections }: InspectionReport): string {
  const blocks = sections.map(({ title, rows, text }) => {
    const lines = rows.length === 0 ? '' : table(rows.map((row) => [row.name, row.text])).trimEnd();
    return [title, lines, text ?? ''].filter((part) => part !== '').join('\n');
  });
  return [`${url}\n  ${verdict}`, ...blocks].join('\n\n');
}

function describeCause(cause: Cause): string {
  switch (cause.code) {
    case 'found':
      return 'is in the index: searches find it';
    case 'removed':
      return 'is not found: the operator has removed it';
    case 'rule':
      return `is not found: the URL rule "${cause.rule}" keeps it out`;
    case 'never-linked':
      return 'is not known: no crawled page links to it, and it is no seed';
    case 'robots':
      return `is not found: robots.txt disallows it${cause.line === null ? '' : ` (line ${cause.line})`}`;
    case 'queued':
      return `is not fetched yet: it is queued, and its host is ${cause.why}`;
    case 'refused':
      return `is not found: it was refused (${cause.why})`;
    case 'failed':
      return `is not found: all attempts to fetch it failed (${cause.why})`;
    case 'not-a-page':
      return `is not found: its last response was no page to index (${cause.why})`;
    case 'alias':
      return `is an alias of ${cause.of} (${cause.kind}), which ${cause.isFound ? 'searches find' : 'is not found either'}`;
    case 'not-indexed-yet':
      return 'is not found yet: it is crawled, and the index has not read the newest part of the journal';
    case 'not-in-index':
      return 'is not found: it is crawled, but the index lacks it; gyre build --rebuild indexes the whole journal again';
  }
}

type Rows = ReportRow[];

function row(name: string, text: string): ReportRow {
  return { name, text };
}

/** A row about another URL, which can be inspected too. */
function linked(name: string, url: string, text: string): ReportRow {
  return { name, text: `${url}${text}`, inspects: url };
}

function urlRows({ given, url, decision, removedBy }: Inspection): Rows {
  const rows: Rows = [];
  if (given !== url) rows.push(row('given', given));
  if (decision.canonical !== url)
    rows.push(row('canonical', `${decision.canonical}; a URL rule changes its query`));
  rows.push(row('rule', `${decision.verb} (${decision.rule})`));
  if (removedBy !== null) rows.push(row('removed by', `${removedBy}; gyre remove --allow permits it again`));
  return rows;
}

function crawlRows({ outcome, last, host, robots }: CrawlFacts, now: number): Rows {
  const rows: Rows = [];
  rows.push(row('state', outcome ? describeOutcome(outcome) : 'not known to the crawl'));
  rows.push(row('robots.txt', describeRobots(robots)));
  if (host) rows.push(row('host', `${host.origin}: ${host.state}, ${counted(host.fetched, 'URL')} fetched`));
  rows.push(row('next visit', nextVisit(outcome, last, now)));
  return rows;
}

function describeOutcome({ state, reason }: NonNullable<CrawlFacts['outcome']>): string {
  const why = describeUrlReason(reason);
  if (state === 'ready') return why === '' ? 'queued' : `queued again; before: ${why}`;
  return state === 'done' ? `fetched: ${why}` : `${state}: ${why}`;
}

function describeRobots(robots: CrawlFacts['robots']): string {
  if (robots.kind === 'verdict') return `${robots.report.verdict} (${describeRobotsRule(robots.report)})`;
  const texts = {
    unknown: 'not fetched yet',
    overridden: 'not obeyed: crawl.robotsOverrides lists the host',
    none: 'allow (the host has none)',
  };
  return texts[robots.kind];
}

function nextVisit(outcome: CrawlFacts['outcome'], last: CrawlFacts['last'], now: number): string {
  if (outcome?.state === 'ready') return 'as soon as its host permits it';
  if (!outcome) return 'none is planned: the crawl does not know it';
  if (!last || last.dueAt === 0)
    return 'none is planned: only a link from elsewhere or a person brings it back';
  const when = last.dueAt <= now ? `due since ${time(last.dueAt)}` : time(last.dueAt);
  const gone = last.goneCount > 0 ? `; the page was gone ${counted(last.goneCount, 'time')} in a row` : '';
  return `${when}, ${duration(last.intervalMs)} after the last one${changeRate(last)}${gone}`;
}

/** Says how often a page seems to change, once two visits could be compared. */
function changeRate({ history }: NonNullable<CrawlFacts['last']>): string {
  if (!history || history.revisits === 0) return '';
  const everyMs = (history.changes.days / history.changes.shape) * DAY_MS;
  return `; it seems to change every ${duration(everyMs)}`;
}

function visitRows(visits: readonly RecordedVisit[]): Rows {
  if (visits.length === 0) return [row('visits', 'none in the crawl log or the archive')];
  const rows = visits.slice(0, MAX_VISITS).map(visitRow);
  const more = visits.length - rows.length;
  return more > 0 ? [...rows, row('and', counted(more, 'earlier visit'))] : rows;
}

function visitRow({ time: at, status, log, record }: RecordedVisit): ReportRow {
  const fetched = log
    ? [`${log.reason || log.state}`, `${log.bytes} bytes`, `${Math.round(log.ms)} ms`]
    : ['imported or older than the crawl log'];
  const stored = record
    ? [`${record.file} at byte ${record.offset}, ${record.length} bytes (${record.type})`]
    : ['not archived'];
  const text = [status === 0 ? 'no response' : `HTTP ${status}`, ...fetched, ...stored].join(', ');
  return { name: time(at), text, ...(record && { record: record.at }) };
}

function documentRows({ last, chain, aliases }: CrawlFacts, { nearDuplicates }: IndexFacts): Rows {
  const rows: Rows = chain.map(({ kind, of }) =>
    of ? linked('alias of', of, ` (${kind})`) : row('is', kind),
  );
  if (chain.length === 0) rows.push(row('is', last?.isDocument ? 'a document of its own' : 'no document'));
  for (const { url, kind } of aliases) rows.push(linked('alias', url, ` (${kind})`));
  for (const { url, similarity } of nearDuplicates) {
    const share = `${Math.round(100 * similarity)} % of the words in common`;
    rows.push(linked('similar', url, ` (${share}; queries list one of them)`));
  }
  return rows;
}

function linkRows(links: LinkFacts | null): Rows {
  if (!links) return [row('linked from', 'unknown until a rank run: gyre rank')];
  const { count, pages, anchorTexts, rank, host } = links;
  const rows: Rows = [row('linked from', counted(count, 'page'))];
  for (const page of pages) rows.push(linked('', page.url, ''));
  if (anchorTexts.length > 0) rows.push(row('as', anchorTexts.map(({ text }) => `"${text}"`).join(', ')));
  rows.push(row('rank', rank > 0 ? `${rank.toPrecision(3)} times the average page` : 'unknown'));
  if (host) {
    const { rank: hostRank, inHosts, inDomains, trust, farm } = host;
    const from = `linked from ${counted(inHosts, 'host')} of ${counted(inDomains, 'domain')}`;
    rows.push(
      row(
        'host',
        `${from}, rank ${hostRank.toPrecision(3)}, trust ${trust.toFixed(2)}, link farm ${farm.toFixed(2)}`,
      ),
    );
  }
  return rows;
}

function indexRows({ document, deletedIn, waitingFiles }: IndexFacts): Rows {
  const rows: Rows = [];
  if (document) {
    const { segment, number, title, type, language, words, textCharacters, quality, hasVector } = document;
    const shownLanguage = `language ${language || 'unknown'}`;
    rows.push(row('document', `number ${number} of ${segment}, fetched ${time(document.fetchedAt)}`));
    rows.push(row('title', title === '' ? 'none' : title));
    if (document.description !== '') rows.push(row('description', document.description));
    if (document.headings.length > 0) rows.push(row('headings', document.headings.join(' · ')));
    const size = `${counted(words, 'word')}, ${textCharacters} characters to quote`;
    rows.push(row('content', `${type}, ${shownLanguage}, ${size}`));
    if (document.terms.length > 0) rows.push(row('terms', document.terms.map(termText).join(', ')));
    rows.push(row('quality', quality === 0 ? 'unknown' : `${quality} of 255`));
    const meaning = hasVector ? 'queries in other words find it' : 'no vector: only its words find it';
    rows.push(row('meaning', meaning));
  } else rows.push(row('document', 'none'));
  if (deletedIn.length > 0) rows.push(row('deleted in', deletedIn.join(', ')));
  if (waitingFiles > 0)
    rows.push(row('waiting', `${counted(waitingFiles, 'journal file')}; gyre build indexes them`));
  return rows;
}

/** Renders a term with its weighted frequency; the words of titles and headings count several times. */
function termText({
  term,
  frequency,
  documents,
}: NonNullable<IndexFacts['document']>['terms'][number]): string {
  return `${term} ${digits(frequency)} (in ${counted(documents, 'document')})`;
}

function queryText({ total, place, listed, similarTo, own, noScore, above }: QueryFacts): string {
  const found = counted(total, 'document');
  const where =
    place !== null ? `result ${place} of ${found}` : `not among the first ${listed} results of ${found}`;
  const lines = [`  ${where}`];
  if (similarTo !== null)
    lines.push(`  result ${similarTo} stands for it: they are near duplicates or translations`);
  if (noScore) lines.push(`  it has no score, because ${describeNoScore(noScore)}`);
  if (!own) return lines.join('\n');
  lines.push(explanationText(own));
  if (above) lines.push(...comparison(own, above));
  return lines.join('\n');
}

function describeNoScore(reason: NoScore): string {
  switch (reason.code) {
    case 'not-in-index':
      return 'it is not in the index';
    case 'not-a-candidate':
      return 'too many other documents match the query better';
    case 'no-match':
      return `it does not match the query${reason.missing.length > 0 ? `; it lacks the words: ${reason.missing.join(', ')}` : ''}`;
  }
}

/** Lists the words that only the other result has, and the features in which both differ most. */
function comparison(
  own: ScoreBreakdown,
  { place, url, breakdown }: NonNullable<QueryFacts['above']>,
): string[] {
  const words = new Set(own.terms.map(({ term }) => term));
  const lacking = breakdown.terms.map(({ term }) => term).filter((term) => !words.has(term));
  const shareOf = new Map(own.shares.map(({ feature, share }) => [feature, share]));
  const gains = breakdown.shares
    .map(({ feature, share }) => ({ feature, gain: share - (shareOf.get(feature) ?? 0) }))
    .filter(({ gain }) => gain !== 0)
    .sort((a, b) => Math.abs(b.gain) - Math.abs(a.gain))
    .slice(0, MAX_FEATURES);
  return [
    `  result ${place} is ${url} with the score ${digits(breakdown.total)}, against ${digits(own.total)}:`,
    ...(lacking.length > 0 ? [`     only result ${place} has the words: ${lacking.join(', ')}`] : []),
    ...gains.map(({ feature, gain }) => `     ${signed(gain).padStart(10)}  ${feature}`),
  ];
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${digits(value)}`;
}

function digits(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function time(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

function duration(ms: number): string {
  const hours = ms / 3_600_000;
  return hours < 48 ? `${hours.toFixed(1)} hours` : `${(hours / 24).toFixed(1)} days`;
}
