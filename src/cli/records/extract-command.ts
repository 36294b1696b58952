/**
 * `gyre extract URL|FILE`: the typed records of one page, with the rule or the syntax that each comes from. It sends no
 * request: a URL is read from its newest copy in the archive, by the rules as they are now.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { ArchiveReader, currentCapture, findOriginal, interpretRecord } from '../../archive/mod.ts';
import { messageOf, systemCode, UsageError } from '../../base/mod.ts';
import { describeUrlReason, reasonOfFault } from '../../crawl/mod.ts';
import {
  type FactValue,
  openReading,
  type Page,
  type ParseOptions,
  parsePageOrFault,
  RuleFiles,
  type TypedRecord,
  typedRecords,
} from '../../page/mod.ts';
import { type CanonicalUrl, canonicalize, hostOf } from '../../url/mod.ts';
import { commandFor } from '../advice.ts';
import type { Command, Invocation } from '../arguments.ts';
import { readExistingData } from '../data-directory.ts';
import { counted, print, printJson, tell } from '../output.ts';

const MAX_SHOWN = 200;
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.xhtml': 'application/xhtml+xml',
};

export const extractCommand: Command = {
  name: 'extract',
  positionals: 'URL|FILE',
  summary:
    'Shows the records of one page, with the rule or the syntax that each comes from. A URL is read from the archive, without a request',
  examples: [
    'gyre extract https://jobs.example.org/1',
    'gyre extract saved.html --url https://jobs.example.org/1 --rules portal.rules',
  ],
  settings: ['record-rules'],
  flags: [
    {
      name: 'rules',
      kind: 'string',
      value: 'FILE',
      help: 'try this file of record rules instead of those of the configuration',
    },
    {
      name: 'url',
      kind: 'string',
      value: 'URL',
      help: 'the URL that a FILE has, for rules and relative links',
    },
    { name: 'json', kind: 'boolean', help: 'print one JSON object per record' },
  ],
  run: extract,
};

async function extract({ config, flags, positionals }: Invocation): Promise<void> {
  const [given, ...more] = positionals;
  if (given === undefined || more.length > 0)
    throw new UsageError('no-url', 'expected one URL or file: gyre extract https://example.org/page');
  const recordRules = typeof flags.rules === 'string' ? [flags.rules] : config.crawl.recordRules;
  const isFile = !/^https?:\/\//i.test(given) || existsSync(given);
  if (!isFile && flags.url !== undefined) throw new UsageError('bad-option', '--url is only for a FILE');
  const url = isFile ? urlOfFile(given, flags.url) : canonicalUrl(given);
  const reading = await openReading({ extractors: config.crawl.extractors, collections: [], recordRules });
  const options = reading(url, false);
  const page = isFile ? readFile(given, url, options) : readCopy(config.data, url, options);
  const records = typedRecords(page.structured ?? [], url);
  for (const record of records) {
    if (flags.json) printJson({ url, ...record });
    else print(recordText(record));
  }
  const misfits = records.filter(({ problems }) => problems.length > 0).length;
  tell(`${counted(records.length, 'record')} on ${url}${misfits > 0 ? `, ${misfits} with problems` : ''}`);
  if (recordRules.length > 0 && new RuleFiles(recordRules).rulesFor(url).length === 0) {
    const advice = isFile && flags.url === undefined ? ': name the URL of the page with --url' : '';
    tell(`no rule is for this URL, whose host is ${hostOf(url)}${advice}`);
  }
}

function urlOfFile(path: string, url: string | boolean | undefined): CanonicalUrl {
  if (typeof url === 'string') return canonicalUrl(url);
  return canonicalUrl(`http://localhost/${encodeURIComponent(basename(path))}`);
}

function canonicalUrl(given: string): CanonicalUrl {
  const url = canonicalize(given);
  if (url === null) throw new UsageError('bad-url', `${given} is not a URL such as https://example.org/page`);
  return url;
}

function readFile(path: string, url: CanonicalUrl, options: ParseOptions): Page {
  const body = bytesOf(path);
  const contentType = TYPES[extname(path).toLowerCase()] ?? '';
  const read = parsePageOrFault({ url, contentType, body, xRobotsTag: [] }, options);
  if (typeof read !== 'string') return read;
  const why = describeUrlReason(reasonOfFault(read));
  const expected = 'expected HTML, PDF, an office document, or another format of pages';
  throw new UsageError('not-a-page', `${path} is not a page (${why}): ${expected}`);
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    const advice = systemCode(cause) === 'ENOENT' ? '; a URL begins with https:// or http://' : '';
    throw new UsageError('bad-file', `cannot read ${path}: ${messageOf(cause)}${advice}`, { cause });
  }
}

/** Reads the newest copy of a page from the archive. An unchanged page has its body in an earlier capture. */
function readCopy(data: string, url: CanonicalUrl, options: ParseOptions): Page {
  const reader = new ArchiveReader(readExistingData(data).archive);
  try {
    const entry = currentCapture(reader, url, options);
    const record = entry && reader.tryRead(entry);
    let meaning = record ? interpretRecord(record, url, options) : null;
    const original = meaning?.kind === 'revisit' ? findOriginal(reader, meaning) : null;
    const earlier = original && reader.tryRead(original);
    if (earlier) meaning = interpretRecord(earlier, url, options);
    if (meaning?.kind === 'page') return meaning.page;
    if (meaning?.kind === 'redirect')
      throw new UsageError('redirect', `${url} redirects to ${meaning.to}: run gyre extract ${meaning.to}`);
  } finally {
    reader.close();
  }
  const crawl = commandFor(`inspect --fetch ${url}`, data);
  throw new UsageError(
    'no-copy',
    `the archive in ${data} has no copy of ${url}: fetch it with ${crawl}, or save the page and give its FILE with --url`,
  );
}

function recordText({ type, statedType, source, id, facts, problems }: TypedRecord): string {
  const from = source === '' ? '' : `  (${source})`;
  const lines = [`${type}${statedType === undefined ? '' : ` (${statedType})`}${from}`];
  if (id !== undefined) lines.push(`  id: ${id}`);
  for (const [name, values] of Object.entries(facts)) {
    for (const value of values) lines.push(`  ${name}: ${factText(value)}`);
  }
  return [...lines, ...problems.map((problem) => `  ! ${problem}`)].join('\n');
}

/** Renders a fact in one line, such as `2000–2500 EUR per MONTH` or `Delft, NL`. */
function factText(value: FactValue): string {
  if (typeof value !== 'object') {
    const text = String(value);
    return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  }
  if (!('amount' in value)) return Object.values(value).join(', ');
  const { amount, max, currency = 'without currency', per } = value;
  return `${amount}${max === undefined ? '' : `–${max}`} ${currency}${per === undefined ? '' : ` per ${per}`}`;
}
