/**
 * Makes the default corpus of bench:engine from the documentation on this machine, one page per line.
 *
 *   node bench/engine/corpus.ts --out corpus.jsonl [--docs 100000] [--root DIR]...
 *
 * A line is `{id, url, title, body}`. Files are HTML or plain text, also compressed; files longer than a web
 * page are split into several pages. The files are sorted by path, then shuffled with a fixed seed, because a
 * crawl also mixes the pages of many hosts.
 */
import { closeSync, openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { Random } from '../../src/base/mod.ts';
import { parsePage } from '../../src/page/mod.ts';
import { canonicalize } from '../../src/url/mod.ts';

export interface CorpusDocument {
  id: string;
  url: string;
  title: string;
  body: string;
}

interface CorpusFile {
  root: string;
  path: string;
}

const DEFAULT_ROOTS = ['/usr/share/doc', '/usr/share/help', '/usr/share/perl', '/usr/share/info'];
const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** The maximum length of a page in UTF-16 units. The mean of web pages is about 7000. */
const MAX_PAGE_LENGTH = 24_000;
const MIN_PAGE_LENGTH = 200;
const READABLE = /\.(?:html?|xhtml|txt|md|rst|pod)(?:\.gz)?$|(?:README|NEWS|changelog|HOWTO)[^/]*$/i;

function* filesBelow(directory: string): Generator<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile() && READABLE.test(path)) yield path;
  }
}

/** Yields the pages of a file. The first folder below the root becomes the host. */
function* documentsOf({ root, path }: CorpusFile): Generator<CorpusDocument> {
  if (statSync(path).size > MAX_FILE_BYTES) return;
  const raw = readFileSync(path);
  const body = path.endsWith('.gz') ? gunzipSync(raw) : raw;
  const plain = path.replace(/\.gz$/, '');
  const [, section = 'docs', rest = ''] = /^([^/]+)\/(.*)$/.exec(relative(root, plain)) ?? [];
  const url = canonicalize(`http://${section.toLowerCase()}.docs.example/${encodeURI(rest)}`);
  if (!url) return;
  const contentType = /html?$/.test(plain) ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
  const page = parsePage({ url, contentType, body, xRobotsTag: [] });
  if (!page || page.text.length < MIN_PAGE_LENGTH) return;
  for (let from = 0, part = 0; from < page.text.length; part++) {
    const end = endOfPart(page.text, from);
    const address = part === 0 ? url : `${url}?part=${part + 1}`;
    yield { id: address, url: address, title: page.title, body: page.text.slice(from, end) };
    from = end;
  }
}

function endOfPart(text: string, from: number): number {
  if (text.length - from <= MAX_PAGE_LENGTH) return text.length;
  const newline = text.indexOf('\n', from + MAX_PAGE_LENGTH / 2);
  return newline < 0 || newline > from + MAX_PAGE_LENGTH ? from + MAX_PAGE_LENGTH : newline + 1;
}

function main(): void {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: 'corpus.jsonl' },
      docs: { type: 'string', default: '100000' },
      root: { type: 'string', multiple: true, default: DEFAULT_ROOTS },
    },
  });
  const files: CorpusFile[] = [];
  for (const root of values.root) {
    if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) continue;
    for (const path of filesBelow(root)) files.push({ root, path });
  }
  shuffle(files, new Random(1));
  const count = writeCorpus(values.out, files, Number(values.docs));
  console.log(`${count} documents in ${values.out}`);
}

function writeCorpus(file: string, files: readonly CorpusFile[], limit: number): number {
  const out = openSync(file, 'w');
  let count = 0;
  for (const source of files) {
    if (count === limit) break;
    for (const document of documentsOf(source)) {
      if (count === limit) break;
      writeSync(out, `${JSON.stringify(document)}\n`);
      count++;
    }
  }
  closeSync(out);
  return count;
}

function shuffle<Item>(items: Item[], random: Random): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [items[i], items[j]] = [items[j]!, items[i]!];
  }
}

if (import.meta.main) main();
