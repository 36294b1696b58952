/**
 * Reads the texts with which a topic is trained and tested: files, and pages of the journal.
 *
 * Cost: pages are found by reading the whole journal, at about 100 MB per second.
 */
import { existsSync, readFileSync } from 'node:fs';
import { messageOf, Random, UsageError } from '../../base/mod.ts';
import { type LabelledText, textOfPage } from '../../crawl/mod.ts';
import { journalFiles, readJournal } from '../../journal/mod.ts';
import { parsePage } from '../../page/mod.ts';
import { type CanonicalUrl, canonicalize } from '../../url/mod.ts';
import type { DataDirectory } from '../data-directory.ts';

/** Number of pages of the crawl that show what is not on the topic. */
const OTHER_PAGES = 500;
const LOCAL = 'file://localhost/' as CanonicalUrl;

/** Texts by the names with which they were asked for, and a random sample of the other pages. */
interface FoundTexts {
  texts: ReadonlyMap<string, string>;
  others: string[];
}

/** Returns the texts of files and crawled pages. Throws a UsageError that names each one that does not exist. */
export function findTexts(data: DataDirectory, names: readonly string[]): FoundTexts {
  const texts = new Map<string, string>();
  const byUrl = new Map<string, string>();
  for (const name of names) {
    const url = /^https?:/i.test(name) ? canonicalize(name) : null;
    if (url !== null) byUrl.set(url, name);
    else texts.set(name, textOfFile(name));
  }
  const others = readPages(data, (url, text) => {
    const name = byUrl.get(url);
    if (name !== undefined) texts.set(name, text);
    return name !== undefined;
  });
  const missing = names.filter((name) => !texts.has(name));
  if (missing.length === 0) return { texts, others };
  throw new UsageError(
    'not-crawled',
    `${missing.join(', ')}: not a page of this data directory; crawl it first, or save it as a file and name the file`,
  );
}

/**
 * Reads the file of `--labelled`. Each line has "yes" or "no", a tab, and a URL, or else a text. Throws a UsageError
 * that lists the numbers of all bad lines.
 */
export function readLabelled(data: DataDirectory, file: string): LabelledText[] {
  const lines = readText(file).split(/\r\n?|\n/);
  const entries: { content: string; isOnTopic: boolean }[] = [];
  const bad: number[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, label, content] = /^(yes|no)\t\s*(\S.*)$/.exec(line) ?? [];
    if (label === undefined || content === undefined) bad.push(at + 1);
    else entries.push({ content: content.trim(), isOnTopic: label === 'yes' });
  }
  if (bad.length > 0) {
    const problem = `${file}: expected "yes" or "no", a tab, and a URL or a text in line ${bad.join(', ')}`;
    throw new UsageError('bad-line', problem);
  }
  const isUrl = (content: string) => /^https?:\S+$/i.test(content);
  const { texts } = findTexts(
    data,
    entries.flatMap(({ content }) => (isUrl(content) ? content : [])),
  );
  return entries.map(({ content, isOnTopic }) => ({ text: texts.get(content) ?? content, isOnTopic }));
}

/**
 * Passes the text of each page to `take` and returns a random sample of the pages for which it returned false. A page
 * that was captured several times is passed several times.
 */
function readPages({ journal }: DataDirectory, take: (url: string, text: string) => boolean): string[] {
  const sample: string[] = [];
  const random = new Random(1);
  let seen = 0;
  for (const name of existsSync(journal.path) ? journalFiles(journal) : []) {
    for (const record of readJournal(journal, name)) {
      if (record.kind !== 'page') continue;
      const text = textOfPage(record.page);
      if (take(record.url, text)) continue;
      const at = seen++ < OTHER_PAGES ? sample.length : random.below(seen);
      if (at < OTHER_PAGES) sample[at] = text;
    }
  }
  return sample;
}

function textOfFile(file: string): string {
  const body = Buffer.from(readText(file));
  const contentType = /\.x?html?$/i.test(file) ? 'text/html' : 'text/plain';
  const page = parsePage({ url: LOCAL, contentType: `${contentType}; charset=utf-8`, body, xRobotsTag: [] });
  return page ? textOfPage(page) : body.toString();
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError('bad-file', `cannot read ${file}: ${messageOf(cause)}`, { cause });
  }
}
