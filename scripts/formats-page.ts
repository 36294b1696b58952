/**
 * Generates docs/formats.md from the head comments of the format files: the bytes are described once, beside
 * the code that writes them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(import.meta.dirname, '..', 'src');

/** The files of `data/`, in the order in which a page passes through them. */
const SECTIONS: [heading: string, file: string][] = [
  ['The data directory', 'cli/data-directory.ts'],
  ['The envelope of binary files', 'base/files/sealed-file.ts'],
  ['Checksums of JSON files', 'base/files/sealed-json.ts'],
  ['Numbers and texts in binary files', 'base/bytes.ts'],
  ['Fingerprints of URLs', 'url/parts.ts'],
  ['`crawl.db`: the state of the crawl', 'crawl/state/sqlite-state.ts'],
  ['`crawl.db`: its tables', 'crawl/state/sqlite-schema.ts'],
  ['`crawl.db.seal`: its checksums', 'crawl/state/database-seal.ts'],
  ['`seen.log`: the URLs that are known', 'crawl/frontier/seen-set.ts'],
  ['`dedup/near.*`: sketches of pages', 'crawl/duplicates/near-format.ts'],
  ['`crawl.log`: every answer', 'crawl/crawl-log.ts'],
  ['`control.json`: wishes', 'cli/sessions/control.ts'],
  ['`*.lock`: who is at work', 'base/files/file-lock.ts'],
  ['`profile.json`: a ranking', 'scoring/profile.ts'],
  ['`archive/`: WARC files', 'archive/warc/warc-format.ts'],
  ['`archive/`: CDXJ files', 'archive/cdx/cdx-format.ts'],
  ['`journal/`: parsed pages', 'journal/journal-format.ts'],
  ['`journal/generation.json`: which files count', 'journal/journal-generation.ts'],
  ['Pages in the journal', 'page/page.ts'],
  ['`graph/run-*.links`: what journal files say about links', 'graph/runs/run-format.ts'],
  ['`graph/*.graph`: the link graph', 'graph/tiles/tiles-format.ts'],
  ['`graph/nodes-*.urls`: the URLs of nodes', 'graph/node-urls.ts'],
  ['`graph/anchors-*.anchors`: anchor texts', 'graph/anchors/anchors-format.ts'],
  ['`graph/hosts-*.hosts`: signals of hosts', 'graph/hosts/hosts-file.ts'],
  ['`graph/ranks-*.ranks`: ranks', 'graph/ranks-format.ts'],
  ['`index/manifest.json`', 'index/manifest.ts'],
  ['`index/versions-*.gyre`: versions of records', 'build/record-versions.ts'],
  ['`index/seg-*.seg`: segments', 'index/segment/segment-format.ts'],
  ['Segments: stored documents', 'index/stored/stored-format.ts'],
  ['Segments: postings and positions', 'index/postings/postings-format.ts'],
  ['Segments: fields and what they weigh', 'index/fields.ts'],
  ['Segments: packed numbers', 'index/postings/packing.ts'],
  ['Segments: sorted strings', 'index/dictionary/sorted-blocks.ts'],
  ['Segments: the dictionary', 'index/dictionary/dictionary-format.ts'],
  ['Segments: the document table', 'index/segment/document-table.ts'],
  ['`index/seg-*.del-*`: deleted documents', 'index/segment/doc-set.ts'],
  ['`index/seg-*.rank-*`: ranks of a segment', 'index/segment/rank-column.ts'],
  ['`index/seg-*.anchor-*`: what links say of its documents', 'index/anchors/anchor-lists-format.ts'],
  ['`words/phrases.gyre`: what may be suggested', 'lexicon/phrases-format.ts'],
  ['`words/vocabulary.gyre`: what is corrected by', 'lexicon/vocabulary-format.ts'],
  ['`words/synonyms.gyre`: words for the same pages', 'lexicon/synonyms-format.ts'],
  ['`words/queries.gyre`: what was asked often', 'lexicon/queries-format.ts'],
];

const INTRODUCTION = `# Formats

Every file that Gyre keeps. Binary files start with a magic and a version and end with a checksum; those that grow have
one for every frame or entry instead. Numbers are little-endian. A file of a newer version is refused with a message, never guessed at. Whatever is derived (journal,
graph, index) can be made again from the archive.

This page is made from the comments in the code by \`npm run docs\`; a test compares the two.
`;

export function formatsPage(): string {
  const sections = SECTIONS.map(
    ([heading, file]) => `\n## ${heading}\n\nIn \`src/${file}\`.\n\n${bodyOf(file)}\n`,
  );
  return INTRODUCTION + sections.join('');
}

/** Returns the head comment of a file, with its indented parts as code blocks. */
function bodyOf(file: string): string {
  const source = readFileSync(join(SRC, file), 'utf8');
  const comment = /^\/\*\*\n([\s\S]*?)\n \*\//.exec(source)?.[1];
  if (comment === undefined) throw new Error(`src/${file} does not open with a comment`);
  const lines = comment.split('\n').map((line) => line.replace(/^ \* ?/, ''));
  return fenced(lines).join('\n');
}

function fenced(lines: readonly string[]): string[] {
  const out: string[] = [];
  let inCode = false;
  for (const [at, line] of lines.entries()) {
    const isCode: boolean =
      line.startsWith('  ') || (line === '' && inCode && (lines[at + 1] ?? '').startsWith('  '));
    if (isCode !== inCode) out.push(isCode ? '```text' : '```');
    if (isCode) out.push(line.slice(2));
    else out.push(line);
    inCode = isCode;
  }
  return inCode ? [...out, '```'] : out;
}
