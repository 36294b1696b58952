/**
 * Generates docs/formats.md from the head comments of the format files, so that the bytes are described only
 * once, beside the code that writes them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(import.meta.dirname, '..', 'src');

/**
 * The sections of the page and the format file of each, in the order in which a page passes through the
 * files.
 */
const SECTIONS: [heading: string, file: string][] = [
  ['The data directory', 'cli/data-directory.ts'],
  ['The envelope of binary files', 'base/files/sealed-file.ts'],
  ['Checksums of JSON files', 'base/files/sealed-json.ts'],
  ['Numbers and texts in binary files', 'base/bytes.ts'],
  ['Fingerprints of URLs', 'url/parts.ts'],
  ['`crawl.db`: the state of the crawl', 'crawl/state/sqlite/sqlite-state.ts'],
  ['`crawl.db`: tables', 'crawl/state/sqlite/sqlite-schema.ts'],
  ['`crawl.db.seal`: checksums of `crawl.db`', 'crawl/state/sqlite/database-seal.ts'],
  ['`seen.log`: known URLs', 'crawl/frontier/seen-set.ts'],
  ['`dedup/near.*`: sketches of pages', 'crawl/duplicates/near-format.ts'],
  ['`topics/*.topic`: topics of topical crawls', 'crawl/topics/topic-format.ts'],
  ['`crawl.log`: one line per response', 'crawl/crawl-log.ts'],
  ['`control.json`: commands for the crawl', 'cli/sessions/control.ts'],
  ['`settings.json`: changed settings', 'cli/changes/setting-changes.ts'],
  ['`requested.json`: what the crawl fetches now', 'cli/requests/fetch-requests.ts'],
  ['`*.lock`: locks between processes', 'base/files/file-lock.ts'],
  ['`profiles/*.json`: ranking profiles', 'scoring/profile.ts'],
  ['`profiles.json`: the profile in force', 'cli/profiles/stored-profiles.ts'],
  ['`judgements/`: judged queries', 'cli/relevance/judgements.ts'],
  ['`archive/`: WARC files', 'archive/warc/warc-format.ts'],
  ['`archive/`: CDXJ files', 'archive/cdx/cdx-format.ts'],
  ['`journal/`: parsed pages', 'journal/journal-format.ts'],
  ['`journal/generation.json`: the valid journal files', 'journal/journal-generation.ts'],
  ['Pages in the journal', 'page/page.ts'],
  ['`graph/run-*.links`: links of journal files', 'graph/runs/run-format.ts'],
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
  ['Segments: fields and their weights', 'index/fields.ts'],
  ['Segments: packed numbers', 'index/postings/packing.ts'],
  ['Segments: sorted strings', 'index/dictionary/sorted-blocks.ts'],
  ['Segments: the dictionary', 'index/dictionary/dictionary-format.ts'],
  ['Segments: the document table', 'index/segment/document-table.ts'],
  ['`index/seg-*.del-*`: deleted documents', 'index/segment/doc-set.ts'],
  ['`index/seg-*.rank-*`: ranks of a segment', 'index/segment/rank-column.ts'],
  ['`index/seg-*.vec-*`: vectors of a segment', 'index/vectors/vector-column.ts'],
  ['`index/seg-*.anchor-*`: anchor lists of a segment', 'index/anchors/anchor-lists-format.ts'],
  ['`index/seg-*.lex-*`: the lexicon of a segment', 'lexicon/segments/segment-lexicon-format.ts'],
  ['`words/phrases.gyre`: anchor texts for suggestions', 'lexicon/phrases-format.ts'],
  ['`words/synonyms.gyre`: mined synonyms', 'lexicon/synonyms-format.ts'],
  ['The names of the pages of one shard, in a cluster', 'lexicon/names-part.ts'],
  ['`words/queries.gyre`: popular queries', 'lexicon/queries-format.ts'],
  ['`meaning/batch-*.vectors`: vectors that are not in the index yet', 'build/embedding/vector-batches.ts'],
  ['`meaning/model.gyre`: weights of the embedding model', 'meaning/packed-model.ts'],
];

const INTRODUCTION = `# Formats

This page describes every file of a data directory. Binary files start with a magic and a version and end with a
checksum; files that grow have a checksum for each frame or entry instead. Numbers are little-endian. A file of a newer
version is refused with a message. Derived files (journal, graph, index) can be rebuilt from the archive.

This page is generated from the comments in the code by \`npm run docs\`; a test compares the two.
`;

export function formatsPage(): string {
  const sections = SECTIONS.map(
    ([heading, file]) => `\n## ${heading}\n\nIn \`src/${file}\`.\n\n${bodyOf(file)}\n`,
  );
  return INTRODUCTION + sections.join('');
}

/** Returns the head comment of a format file as Markdown, with its indented lines as code blocks. */
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
