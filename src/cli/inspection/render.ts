/**
 * Renders an inspection as text: one sentence with the cause, then a block for each stage in the path of a
 * page.
 */
import { describeUrlReason } from '../../crawl/mod.ts';
import type { ScoreBreakdown } from '../../scoring/mod.ts';
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

export function renderInspection(inspection: Inspection, now: number): string {
  const { crawl, links, index, query } = inspection;
  const blocks = [
    `${inspection.url}\n  ${describeCause(inspection.cause)}`,
    block('URL', urlRows(inspection)),
    crawl ? block('Crawl', crawlRows(crawl, now)) : '',
    visitBlock(inspection.visits),
    crawl?.outcome ? block('Document', documentRows(crawl, index)) : '',
    links ? block('Links', linkRows(links)) : '',
    block('Index', indexRows(index)),
    query ? queryBlock(query) : '',
  ];
  return blocks.filter((text) => text !== '').join('\n\n');
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

type Rows = [name: string, text: string][];

function block(title: string, rows: Rows): string {
  return `${title}\n${table(rows).trimEnd()}`;
}

function urlRows({ given, url, decision, removedBy }: Inspection): Rows {
  const rows: Rows = [];
  if (given !== url) rows.push(['given', given]);
  if (decision.canonical !== url)
    rows.push(['canonical', `${decision.canonical}; a URL rule changes its query`]);
  rows.push(['rule', `${decision.verb} (${decision.rule})`]);
  if (removedBy !== null) rows.push(['removed by', `${removedBy}; gyre remove --allow permits it again`]);
  return rows;
}

function crawlRows({ outcome, last, host, robots }: CrawlFacts, now: number): Rows {
  const rows: Rows = [];
  rows.push(['state', outcome ? describeOutcome(outcome) : 'not known to the crawl']);
  rows.push(['robots.txt', describeRobots(robots)]);
  if (host) rows.push(['host', `${host.origin}: ${host.state}, ${counted(host.fetched, 'URL')} fetched`]);
  rows.push(['next visit', nextVisit(outcome, last, now)]);
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
  if (!last || last.dueAt === 0) return 'none is planned';
  const when = last.dueAt <= now ? `due since ${time(last.dueAt)}` : time(last.dueAt);
  const gone = last.goneCount > 0 ? `; the page was gone ${counted(last.goneCount, 'time')} in a row` : '';
  return `${when}, ${duration(last.intervalMs)} after the last one (longer while the page stays the same)${gone}`;
}

function visitBlock(visits: readonly RecordedVisit[]): string {
  if (visits.length === 0) return 'Visits\n  none in the crawl log and in the archive';
  const rows = visits.slice(0, MAX_VISITS).map(visitRow);
  const more = visits.length - rows.length;
  return `${block('Visits', rows)}${more > 0 ? `\n  and ${more} earlier ones` : ''}`;
}

function visitRow({ time: at, status, log, record }: RecordedVisit): [string, string] {
  const fetched = log
    ? [`${log.reason || log.state}`, `${log.bytes} bytes`, `${Math.round(log.ms)} ms`]
    : ['imported or older than the crawl log'];
  const stored = record
    ? [`${record.file} at byte ${record.offset}, ${record.length} bytes (${record.type})`]
    : ['not archived'];
  return [time(at), [status === 0 ? 'no response' : `HTTP ${status}`, ...fetched, ...stored].join(', ')];
}

function documentRows({ last, chain, aliases }: CrawlFacts, { nearDuplicates }: IndexFacts): Rows {
  const rows: Rows = chain.map(({ kind, of }) => (of ? ['alias of', `${of} (${kind})`] : ['is', kind]));
  if (chain.length === 0) rows.push(['is', last?.isDocument ? 'a document of its own' : 'no document']);
  for (const { url, kind } of aliases) rows.push(['alias', `${url} (${kind})`]);
  for (const { url, similarity } of nearDuplicates)
    rows.push([
      'similar',
      `${url} (${Math.round(100 * similarity)} % of the words in common; queries list one of them)`,
    ]);
  return rows;
}

function linkRows({ count, pages, anchorTexts, rank, host }: LinkFacts): Rows {
  const rows: Rows = [['linked from', counted(count, 'page')]];
  for (const page of pages) rows.push(['', page.url]);
  if (anchorTexts.length > 0) rows.push(['as', anchorTexts.map(({ text }) => `"${text}"`).join(', ')]);
  rows.push(['rank', rank > 0 ? `${rank.toPrecision(3)} times the average page` : 'unknown']);
  if (host) {
    const { inHosts, inDomains, trust, farm } = host;
    const from = `linked from ${counted(inHosts, 'host')} of ${counted(inDomains, 'domain')}`;
    rows.push(['host', `${from}, trust ${trust.toFixed(2)}, link farm ${farm.toFixed(2)}`]);
  }
  return rows;
}

function indexRows({ document, deletedIn, waitingFiles }: IndexFacts): Rows {
  const rows: Rows = [];
  if (document) {
    const { segment, number, title, type, language, words, textCharacters, quality, hasVector } = document;
    rows.push(['document', `number ${number} of ${segment}, fetched ${time(document.fetchedAt)}`]);
    rows.push(['title', title === '' ? 'none' : title]);
    rows.push([
      'content',
      `${type}, language ${language || 'unknown'}, ${counted(words, 'word')}, ${textCharacters} characters to quote`,
    ]);
    rows.push(['quality', quality === 0 ? 'unknown' : `${quality} of 255`]);
    rows.push([
      'meaning',
      hasVector ? 'queries in other words find it' : 'no vector: only its words find it',
    ]);
  } else rows.push(['document', 'none']);
  if (deletedIn.length > 0) rows.push(['deleted in', deletedIn.join(', ')]);
  if (waitingFiles > 0)
    rows.push(['waiting', `${counted(waitingFiles, 'journal file')}; gyre build indexes them`]);
  return rows;
}

function queryBlock({ query, total, place, listed, similarTo, own, noScore, above }: QueryFacts): string {
  const found = counted(total, 'document');
  const where =
    place !== null ? `result ${place} of ${found}` : `not among the first ${listed} results of ${found}`;
  const lines = [`Query: ${query}`, `  ${where}`];
  if (similarTo !== null) lines.push(`  result ${similarTo} stands for it: they are near duplicates`);
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
