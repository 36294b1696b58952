/** Measures the CPU time of indexing batches of pages, and of their lexicons; see main.ts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Directory, openDirectory, silentLog } from '../../src/base/mod.ts';
import { LexiconGatherer } from '../../src/build/lexicons/mod.ts';
import { buildIndex } from '../../src/build/mod.ts';
import { IndexReader } from '../../src/index/mod.ts';
import {
  JOURNAL_START,
  JournalWriter,
  journalFiles,
  type PageRecord,
  readJournal,
} from '../../src/journal/mod.ts';
import { encodeLexicon } from '../../src/lexicon/mod.ts';
import { canonicalize } from '../../src/url/mod.ts';
import { installedDocs } from '../spelling/installed-docs.ts';

interface LexiconOptions {
  /** The directory of a journal; null for generated pages. */
  journal: string | null;
  /** The number of pages that are indexed between the two batches. */
  before: number;
  batch: number;
}

interface BatchFigures {
  [column: string]: string | number;
  name: string;
  pages: number;
  /** The CPU time of `buildIndex` in milliseconds, including merges and lexicons. */
  indexMs: number;
  /** The CPU time in milliseconds of building the lexicons of the new segments. */
  lexiconMs: number;
}

export async function measureLexicons(
  options: LexiconOptions,
): Promise<{ first: BatchFigures; later: BatchFigures; all: BatchFigures }> {
  const path = mkdtempSync(join(tmpdir(), 'gyre-bench-lexicon-'));
  try {
    const root = openDirectory(path);
    const pages = options.journal === null ? generatedPages() : journalPages(options.journal);
    const { batch, before } = options;
    const sample = [...take(pages, batch)];
    // The first run compiles the code; its figures are not used.
    await indexBatch(root, 'warm-up', sample);
    const first = await indexBatch(root.directory('first'), 'into an empty index', sample);
    const data = root.directory('later');
    const between = await indexBatch(data, 'between', take(pages, before));
    const later = await indexBatch(data, `after ${between.pages} other pages`, sample);
    const all = {
      name: 'all',
      pages: first.pages + between.pages + later.pages,
      indexMs: first.indexMs + between.indexMs + later.indexMs,
      lexiconMs: first.lexiconMs + between.lexiconMs + later.lexiconMs,
    };
    return { first, later, all };
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

async function indexBatch(data: Directory, name: string, pages: Iterable<PageRecord>): Promise<BatchFigures> {
  const [journal, index] = [data.directory('journal'), data.directory('index')];
  const written = await writePages(journal, pages);
  const known = new Set(index.list());
  const gatherer = new LexiconGatherer();
  const indexMs = await cpuMsOf(() => buildIndex({ journal, index, ranks: null, log: silentLog }));
  const reader = new IndexReader(index, silentLog);
  let lexiconMs = 0;
  for (const { reader: segment } of reader.segments.filter(({ reader: { name } }) => !known.has(name))) {
    const docs = Array.from({ length: segment.docCount }, (_, doc) => ({
      record: Buffer.from(segment.storedRecord(doc)),
      type: segment.row(doc).type,
    }));
    lexiconMs += await cpuMsOf(async () => {
      for (const { record, type } of docs) gatherer.add(record, type, 'bench');
      encodeLexicon(gatherer.finish());
    });
  }
  reader.close();
  return { name, pages: written, indexMs, lexiconMs };
}

function* take<T>(items: Iterator<T>, count: number): Generator<T> {
  for (let taken = 0; taken < count; taken++) {
    const { value, done } = items.next();
    if (done) return;
    yield value;
  }
}

async function writePages(journal: Directory, pages: Iterable<PageRecord>): Promise<number> {
  const file = journalFiles(journal).length + 1;
  const writer = new JournalWriter(journal, { ...JOURNAL_START, file });
  let written = 0;
  for (const page of pages) {
    writer.append(page);
    written++;
  }
  await writer.flush();
  writer.rotate();
  writer.close();
  return written;
}

async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const from = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
}

function* journalPages(path: string): Generator<PageRecord> {
  const journal = openDirectory(path);
  for (const file of journalFiles(journal))
    for (const record of readJournal(journal, file)) if (record.kind === 'page') yield record;
}

/** Yields the same documents repeatedly. In each repetition they have other URLs and contain a new word. */
function* generatedPages(): Generator<PageRecord> {
  const robots = { index: true, follow: true, archive: true, snippet: true };
  const rest = { description: '', language: 'en', marks: [], links: [], canonical: null, robots };
  const documents = [...installedDocs()];
  for (let number = 0; ; number++) {
    const { title, text } = documents[number % documents.length]!;
    const page = { contentType: 'text/html', title: `${title} ${number}`, text, ...rest };
    const url = canonicalize(`https://host${number % 97}.example/page/${number}`)!;
    yield { kind: 'page', url, fetchedAt: 1_700_000_000_000, digest: '', page };
  }
}
