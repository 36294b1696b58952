/**
 * Checks the imports of rooms and shelves by a table. A new room, shelf or import is a new line here, in the
 * same commit, with its reason. Tests may import any file.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { test } from 'node:test';
import { reportBar } from './helpers/bar.ts';

const SRC = join(import.meta.dirname, '..', 'src');

/** The rooms that each room may import, through their `mod.ts`. */
const MAY_IMPORT: Record<string, string[]> = {
  base: [],
  url: ['base'],
  text: ['base'],
  page: ['base', 'url', 'text'],
  // `sketch` measures the similarity of pages. The crawl compares pages by their sketches, and `build` stores
  // sketches for queries.
  sketch: ['base', 'page'],
  archive: ['base', 'url', 'page'],
  // `journal` has the parsed pages in order of capture. `crawl` and `import` write it; `graph` and `build`
  // read it.
  journal: ['base', 'url', 'page'],
  crawl: ['base', 'url', 'text', 'page', 'sketch', 'archive', 'journal'],
  import: ['base', 'url', 'page', 'archive', 'journal', 'crawl'],
  graph: ['base', 'url', 'journal'],
  // `meaning` computes vectors of texts. `build` stores them, and `query` compares them with the vector of
  // the query.
  meaning: ['base'],
  index: ['base', 'text'],
  // `lexicon` has phrases and vocabulary. `build` writes it and `query` reads it; these two must not import
  // each other.
  lexicon: ['base', 'text'],
  build: ['base', 'url', 'text', 'page', 'sketch', 'journal', 'graph', 'index', 'lexicon', 'meaning'],
  scoring: ['base', 'index'],
  query: ['base', 'url', 'text', 'index', 'scoring', 'lexicon'],
  // `standing` finds new pages in the journal, indexes only these, and searches in them.
  standing: ['base', 'url', 'page', 'journal', 'build', 'query'],
  answer: ['base', 'url', 'query'],
  // `cluster` has the state that several nodes share. It implements the interfaces of other rooms on PostgreSQL,
  // RabbitMQ and S3, and sends the requests of a gateway in `query` to other nodes.
  cluster: ['base', 'url', 'archive', 'journal', 'crawl', 'graph', 'index', 'query'],
  // `serve` imports `page`, because `page` rewrites the archived copies that `serve` shows.
  // `web` has the types of what the server sends to the scripts of the dashboard.
  serve: ['base', 'url', 'page', 'archive', 'query', 'answer', 'web'],
  // `sample` is the web of the demonstration, a server that does not depend on the engine.
  sample: ['base'],
  // `synthetic-web` is the web that tests and `gyre selftest` crawl, a server that does not depend on the
  // engine.
  'synthetic-web': ['base'],
  // `cli` connects the rooms. It uses `index` only to export it, and `scoring` for profiles and the measures
  // of `gyre eval`.
  cli: [
    'base',
    'cluster',
    'url',
    'page',
    'archive',
    'crawl',
    'graph',
    'index',
    'build',
    'import',
    'journal',
    'lexicon',
    'meaning',
    'scoring',
    'query',
    'standing',
    'answer',
    'serve',
    'sample',
    'synthetic-web',
  ],
  // `web` has the files that browsers receive, and in its `mod.ts` the types of the data that they receive.
  web: [],
};

/** The packages that each room may import, in addition to the modules of Node.js. */
const MAY_USE: Record<string, string[]> = {
  url: ['tldts'],
  page: ['parse5'],
  // Exports of records are Parquet files.
  cli: ['hyparquet-writer'],
  crawl: ['undici'],
  cluster: ['@aws-sdk/client-s3', 'amqplib', 'postgres', 'undici'],
  serve: ['fastify', '@fastify/cookie', '@fastify/cors', '@fastify/swagger'],
  sample: ['markdown-it'],
  // These are bundled into the script of the dashboard.
  web: ['preact', 'uplot'],
};

/**
 * The shelves of the same room that each shelf may import, through their `mod.ts`. A shelf may also import
 * files of the folders above it, and files directly in a room may import its shelves.
 */
const SHELF_MAY_IMPORT: Record<string, string[]> = {
  'answer/asking': ['messages', 'questions'],
  'answer/computed': ['asking', 'questions'],
  'answer/crawled': ['asking', 'messages'],
  'answer/remote': ['asking', 'crawled', 'messages', 'questions'],
  'archive/warc': ['cdx'],
  'base/zip': ['files'],
  'cli/backups': [],
  // Roles of a node load the sessions that they need.
  // A gateway serves the state of its whole cluster.
  // Index nodes compute vectors in a thread, as `gyre up` does.
  'cli/cluster': [
    'access',
    'cluster-facts',
    'cluster-removals',
    'gateway',
    'node-health',
    'seeds',
    'serving',
    'sessions',
    'settings',
    'threads',
  ],
  // A journal is rebuilt with the settings of a crawl, without removed pages.
  'cli/cluster-admin': [
    'cluster',
    'cluster-facts',
    'cluster-removals',
    'purging',
    'removals',
    'sessions',
    'settings',
  ],
  'cli/cluster-removals': ['access', 'purging', 'removals'],
  'cli/changes': ['settings'],
  'cli/commands': [
    'access',
    'changes',
    'cluster-admin',
    'cross-references',
    'inspection',
    'machine',
    'profiles',
    'progress',
    'purging',
    'records',
    'relevance',
    'removals',
    'seeds',
    'selftest',
    'serving',
    'sessions',
    'settings',
    // A build finds the new pages of standing queries.
    'standing',
    'threads',
  ],
  // The comparison of stores is one more area of the report of gyre doctor.
  'cli/cross-references': ['removals', 'sessions'],
  'cli/dashboard': ['access', 'changes', 'requests', 'seeds', 'sessions', 'settings'],
  // The feed says which pages were removed.
  'cli/feed': ['removals'],
  'cli/gateway': ['access', 'cluster-removals', 'inspection', 'purging', 'removals', 'settings'],
  'cli/inspection': ['removals', 'requests', 'sessions', 'settings'],
  // The disk is measured as the crawl measures it.
  'cli/machine': ['sessions', 'settings'],
  // A copy uses the cluster file and the checks of its settings, as a node does.
  'cli/migration': ['cluster', 'cluster-facts', 'settings'],
  // An export leaves out the records of removed pages.
  'cli/records': ['feed', 'removals'],
  'cli/purging': ['access', 'removals', 'sessions', 'settings'],
  'cli/serving': [
    'access',
    'changes',
    'dashboard',
    'feed',
    'relevance',
    'removals',
    'sessions',
    'settings',
    'sites',
    'standing',
    'threads',
  ],
  // The crawl fetches the URLs that people ask for.
  'cli/sites': ['access', 'purging', 'removals', 'requests', 'sessions', 'settings'],
  // The relevance desk evaluates profiles as the commands do.
  'cli/relevance': ['access', 'profiles', 'sessions', 'settings'],
  // Searches use the profile in force.
  'cli/sessions': ['profiles', 'removals', 'requests', 'settings', 'topics'],
  'cli/setup': ['settings'],
  'cli/standing': ['access', 'removals', 'sessions', 'settings'],
  'cli/requests': ['removals', 'settings'],
  'cli/threads': ['access', 'inspection', 'purging', 'removals', 'requests', 'sessions', 'settings'],
  // The report reads from the manifests of the shards how far the index is behind the journal.
  // It also removes the old turns of crawl nodes with IP addresses.
  'cluster/control': ['politeness', 'shards'],
  // A commit of the crawl state also adds the batch of captures that it makes valid.
  'cluster/crawl-state': ['captures'],
  'crawl/frontier': ['parsing', 'robots', 'state', 'traps'],
  'crawl/identity': ['duplicates', 'parsing', 'robots', 'state'],
  // Parser threads load this shelf. It must not load `fetch`, `identity` or `state`, except for types.
  'crawl/parsing': ['duplicates', 'state', 'topics'],
  'crawl/robots': ['fetch', 'state'],
  // The schedule shares change rates among URLs with the same pattern, which the trap detectors define.
  'crawl/schedule': ['state', 'traps'],
  'crawl/traps': ['duplicates', 'state'],
  'crawl/visit': ['fetch', 'frontier', 'identity', 'parsing', 'robots', 'schedule', 'state', 'traps'],
  // A copied batch is committed like that of a node, and the seeds become those of the whole cluster.
  'cluster/migration': ['captures', 'control'],
  'cluster/ranks': ['captures'],
  'graph/anchors': ['tiles'],
  'graph/hosts': ['tiles'],
  'graph/pagerank': ['tiles'],
  'graph/parts': ['anchors', 'hosts', 'pagerank', 'runs', 'tiles'],
  'index/anchors': ['dictionary', 'merging', 'postings', 'segment'],
  'index/export': ['merging', 'postings'],
  'index/indexing': ['kernels', 'merging', 'postings', 'segment', 'stored'],
  'index/kernels': ['dictionary'],
  'index/merging': ['dictionary', 'postings', 'segment'],
  'index/postings': ['dictionary', 'kernels'],
  'index/segment': ['dictionary', 'postings', 'stored'],
  'index/vectors': ['kernels', 'segment'],
  'page/copies': ['html', 'text'],
  'page/extractors': ['text'],
  'page/formats': ['html', 'language', 'metadata', 'text'],
  'page/html': ['language', 'metadata', 'text'],
  'page/metadata': ['text'],
  // Office documents are read with the XML reader of feeds.
  'page/office': ['formats', 'html', 'language', 'metadata', 'text'],
  'page/pdf': ['html', 'metadata', 'text'],
  // Records have dates, which pages have too.
  'page/records': ['metadata'],
  'page/rules': ['text'],
  'query/assistance/spelling': ['terms'],
  'query/assistance/suggest': ['terms'],
  'query/gateway': ['assistance', 'language', 'reranking', 'results', 'shard', 'terms'],
  'query/matching': ['language', 'terms'],
  'query/reranking': ['matching', 'terms'],
  'query/results': ['language', 'matching', 'shard', 'terms'],
  'query/shard': ['language', 'matching', 'reranking', 'snippets', 'terms'],
  'query/snippets': ['language', 'reranking', 'terms'],
  'query/terms': ['language'],
  'serve/admin': ['guards', 'http', 'operations', 'sign-in', 'sites', 'standing'],
  'serve/admin/relevance': ['operations', 'sign-in'],
  'serve/admin/dashboard': ['api', 'http', 'operations', 'sign-in'],
  'serve/answers': ['api', 'http', 'messages'],
  'serve/api': ['guards', 'http', 'messages'],
  'serve/assets': ['http'],
  'serve/cached': ['http', 'messages'],
  'serve/changes': ['api', 'http'],
  'serve/guards': ['http'],
  'serve/icons': ['cached', 'http'],
  'serve/mcp': ['guards', 'http', 'messages'],
  'serve/operations': ['api', 'guards', 'http'],
  'serve/pages': ['guards', 'http', 'messages'],
  'serve/preferences': ['guards', 'http', 'messages'],
  'serve/sign-in': ['guards', 'http'],
  'serve/sites': ['guards', 'http'],
  'serve/standing': ['guards', 'http'],
  // The shelf `serve/results` imports `api`, because image results have an HTTP API with a schema.
  'serve/results': ['answers', 'api', 'guards', 'http', 'messages', 'pages', 'preferences', 'standing'],
};

/** Shelves without a `mod.ts`. A command or a thread loads only the files that it needs. */
const LOADED_BY_FILE = new Set(['cli/cluster', 'cli/commands', 'cli/sessions']);

/**
 * The entry modules of worker threads, each with a pattern of modules that the thread must not load. Each
 * thread has its own copy of the code, so unneeded modules would cost memory and start-up time in every thread.
 */
const THREADS: Record<string, RegExp> = {
  'crawl/parsing/response-parser-thread.ts':
    /^(?:undici|fastify)$|^crawl\/(?:state|fetch|frontier|identity)\//,
  'archive/record-reader-thread.ts': /^(?:undici|fastify)$|^crawl\//,
  'serve/cached/archive-thread.ts': /^(?:undici|fastify)$|^(?:crawl|answer)\//,
  'build/merge-thread.ts': /^(?:undici|fastify)$|^(?:page|crawl|query)\//,
  'cluster/search/shard-thread.ts': /^(?:undici|fastify|postgres|amqplib)$|^(?:crawl|serve|answer|build)\//,
  'cli/feed/feed-thread.ts': /^(?:undici|fastify)$|^(?:crawl|serve|answer|build)\//,
  'cli/threads/search-thread.ts': /^(?:undici|fastify)$|^(?:crawl|serve|answer|build)\//,
};

const MAX_FILES = 20;
/**
 * The maximum number of lines of a file. A kernel in AssemblyScript may be longer, because it is one loop
 * over its memory.
 */
const MAX_LINES = 400;

interface Import {
  file: string;
  target: string;
}

function* sourceFiles(directory: string): Generator<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* sourceFiles(path);
    else if (/\.[jt]sx?$/.test(entry.name)) yield path;
  }
}

function* imports(): Generator<Import> {
  const pattern =
    /^\s*(?:import|export)\b[^'";]*?from\s+'([^']+)'|\bimport\(\s*'([^']+)'|^import\s+'([^']+)'/gm;
  for (const path of sourceFiles(SRC)) {
    const file = relative(SRC, path).split(sep).join('/');
    for (const match of readFileSync(path, 'utf8').matchAll(pattern)) {
      yield { file, target: (match[1] ?? match[2] ?? match[3])! };
    }
  }
}

/**
 * Returns the modules that each file loads at run time, without types: packages by name, files relative to
 * `src/`.
 */
function loadedImports(): Map<string, string[]> {
  const pattern = /^\s*(?:import|export)\s(?!type\b)[^'";]*?from\s+'([^']+)'/gm;
  const loaded = new Map<string, string[]>();
  for (const path of sourceFiles(SRC)) {
    const targets = [...readFileSync(path, 'utf8').matchAll(pattern)].map((match) => match[1]!);
    const file = relative(SRC, path).split(sep).join('/');
    loaded.set(
      file,
      targets.map((target) => (target.startsWith('.') ? join(dirname(file), target) : target)),
    );
  }
  return loaded;
}

function closure(start: string, loaded: ReadonlyMap<string, string[]>): Set<string> {
  const seen = new Set<string>();
  const open = [start];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    for (const target of loaded.get(file) ?? []) {
      if (!seen.has(target)) open.push(target);
      seen.add(target);
    }
  }
  return seen;
}

const isTest = (file: string): boolean => /\.(?:test|fixture)\.ts$/.test(file);
const roomOf = (file: string): string => file.split('/')[0]!;

/** Returns the reason why an import is not allowed; null if it is allowed. */
function objection({ file, target }: Import): string | null {
  if (isTest(file) || target.startsWith('node:')) return null;
  const room = roomOf(file);
  if (!target.startsWith('.')) {
    const name = target
      .split('/')
      .slice(0, target.startsWith('@') ? 2 : 1)
      .join('/');
    return MAY_USE[room]?.includes(name) ? null : `${room}/ may not use the package ${name}`;
  }
  const path = relative(SRC, normalize(join(SRC, dirname(file), target)))
    .split(sep)
    .join('/');
  if (path.startsWith('../')) return `src/ may not import ${path.slice(3)}`;
  const other = roomOf(path);
  return other === room ? objectionInRoom(file, path) : objectionBetweenRooms(room, other, path);
}

function objectionBetweenRooms(room: string, other: string, path: string): string | null {
  if (path !== `${other}/mod.ts`)
    return `${path} is behind the front door of ${other}/: import ${other}/mod.ts`;
  return MAY_IMPORT[room]?.includes(other) ? null : `${room}/ may not import ${other}/`;
}

function objectionInRoom(file: string, path: string): string | null {
  const from = dirname(file);
  const to = dirname(path);
  if (from === to || `${from}/`.startsWith(`${to}/`)) return null;
  // Finds the outermost folder of the imported file that does not contain the importing file.
  const parts = to.split('/');
  let depth = 1;
  while (`${from}/`.startsWith(`${parts.slice(0, depth).join('/')}/`)) depth++;
  const shelf = parts.slice(0, depth).join('/');
  if (path !== `${shelf}/mod.ts` && !LOADED_BY_FILE.has(shelf))
    return `${path} is behind the front door of ${shelf}/: import ${shelf}/mod.ts`;
  const isBelow = shelf.startsWith(`${from}/`);
  const name = shelf.slice(roomOf(file).length + 1);
  return isBelow || SHELF_MAY_IMPORT[from]?.includes(name) ? null : `${from}/ may not import ${shelf}/`;
}

/** Returns the first cycle in a table of shelves, written as a path; null if there is none. */
function findCycle(edges: Readonly<Record<string, readonly string[]>>): string | null {
  const finished = new Set<string>();
  const search = (shelf: string, path: readonly string[]): string | null => {
    const start = path.indexOf(shelf);
    if (start >= 0) return [...path.slice(start), shelf].join(' -> ');
    if (finished.has(shelf)) return null;
    for (const target of edges[shelf] ?? []) {
      const cycle = search(`${roomOf(shelf)}/${target}`, [...path, shelf]);
      if (cycle !== null) return cycle;
    }
    finished.add(shelf);
    return null;
  };
  for (const shelf of Object.keys(edges)) {
    const cycle = search(shelf, []);
    if (cycle !== null) return cycle;
  }
  return null;
}

test('every import uses a front door and an allowed edge', (t) => {
  const objections = [...imports()].flatMap((each) => {
    const why = objection(each);
    return why === null ? [] : [`src/${each.file}: ${why}`];
  });
  reportBar(t, 'imports outside the table', objections.length);
  assert.deepEqual(objections, []);
});

test('every room is in the table and every room of the table exists', () => {
  const rooms = readdirSync(SRC, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  assert.deepEqual(rooms.map((entry) => entry.name).sort(), Object.keys(MAY_IMPORT).sort());
});

test('every edge between shelves is used', () => {
  const used = new Set<string>();
  for (const { file, target } of imports()) {
    if (isTest(file) || !target.startsWith('.')) continue;
    const path = normalize(join(dirname(file), target))
      .split(sep)
      .join('/');
    used.add(`${dirname(file)} ${dirname(path).slice(roomOf(file).length + 1)}`);
  }
  const edges = Object.entries(SHELF_MAY_IMPORT).flatMap(([from, all]) => all.map((to) => `${from} ${to}`));
  assert.deepEqual(
    edges.filter((edge) => !used.has(edge)),
    [],
  );
});

test('the shelves of a room import each other in one direction', () => {
  assert.deepEqual(findCycle(SHELF_MAY_IMPORT), null);
});

test('the check names the shelves of a cycle', () => {
  const edges = { 'a/one': ['two'], 'a/two': ['three'], 'a/three': ['four', 'two'], 'b/two': ['one'] };
  assert.equal(findCycle(edges), 'a/two -> a/three -> a/two');
  assert.equal(findCycle({ 'a/one': ['two'], 'a/two': [], 'b/two': ['one'] }), null);
});

test('the check detects a wrong edge, a deep import and an unlisted package', () => {
  assert.match(objection({ file: 'base/heap.ts', target: '../url/mod.ts' })!, /base\/ may not import url\//);
  assert.match(
    objection({ file: 'build/build.ts', target: '../crawl/mod.ts' })!,
    /build\/ may not import crawl\//,
  );
  assert.match(objection({ file: 'cli/main.ts', target: '../crawl/frontier.ts' })!, /behind the front door/);
  assert.match(objection({ file: 'page/page.ts', target: 'cheerio' })!, /may not use the package cheerio/);
  assert.match(
    objection({ file: 'crawl/crawler.ts', target: '../../test/helpers/gyre.ts' })!,
    /may not import test/,
  );
  assert.match(
    objection({ file: 'crawl/crawler.ts', target: './state/sqlite/sqlite-state.ts' })!,
    /import crawl\/state\/mod.ts/,
  );
  assert.match(
    objection({ file: 'graph/tiles/edge-sort.ts', target: '../runs/mod.ts' })!,
    /tiles\/ may not import graph\/runs/,
  );
  assert.ok([...imports()].length > 100, 'the imports are found');
});

test('worker threads load only the part of the engine that they use', () => {
  const byFile = loadedImports();
  for (const [thread, forbidden] of Object.entries(THREADS)) {
    const loaded = closure(thread, byFile);
    assert.ok(loaded.size > 10, `${thread} has imports`);
    assert.deepEqual(
      [...loaded].filter((module) => forbidden.test(module)),
      [],
      thread,
    );
  }
});

test('no folder has more than the maximum number of files', (t) => {
  const counts = new Map<string, number>();
  for (const path of sourceFiles(SRC)) {
    if (/\.(?:test|fixture|d)\.ts$/.test(path)) continue;
    const folder = relative(SRC, dirname(path));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const large = [...counts].filter(([, count]) => count > MAX_FILES);
  reportBar(t, `directories with more than ${MAX_FILES} production files`, large.length);
  assert.deepEqual(large, []);
});

test('no file has more than the maximum number of lines', () => {
  const paths = [...sourceFiles(SRC)].filter((path) => !isTest(path) && !path.includes('/assembly/'));
  const long = paths.filter((path) => readFileSync(path, 'utf8').split('\n').length - 1 > MAX_LINES);
  assert.deepEqual(
    long.map((path) => relative(SRC, path)),
    [],
  );
});
