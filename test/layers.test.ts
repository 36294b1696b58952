/**
 * Who may import whom: DESIGN's table as data. A new room or edge is a line here, in the same commit,
 * with its reason. Tests may reach further than the code beside them, but only through front doors.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { test } from 'node:test';

const SRC = join(import.meta.dirname, '..', 'src');

/** Room -> rooms whose front door it may use. */
const MAY_IMPORT: Record<string, string[]> = {
  base: [],
  url: ['base'],
  text: ['base'],
  page: ['base', 'url', 'text'],
  archive: ['base', 'url', 'page'],
  crawl: ['base', 'url', 'text', 'page', 'archive'],
  graph: ['base', 'url', 'archive'],
  index: ['base', 'text'],
  build: ['base', 'url', 'text', 'page', 'archive', 'graph', 'index'],
  rank: ['base', 'index'],
  query: ['base', 'url', 'text', 'index', 'rank'],
  serve: ['base', 'url', 'query'],
  // The demonstration's web: a server beside the engine that knows nothing of it.
  sample: ['base'],
  // The only place where rooms are wired together.
  // It knows the index only to export it, and `rank` for profiles and for what `gyre eval` measures.
  cli: [
    'base',
    'url',
    'page',
    'archive',
    'crawl',
    'graph',
    'index',
    'build',
    'rank',
    'query',
    'serve',
    'sample',
  ],
  // What the browser gets: no TypeScript of ours at all.
  web: [],
};

/** Packages that a room may use, besides Node's own modules, which all may. */
const MAY_USE: Record<string, string[]> = {
  url: ['tldts'],
  crawl: ['undici'],
  serve: ['fastify'],
  sample: ['markdown-it'],
};

/** One file of the CLI reaches the synthetic web, which is not below src/: `gyre selftest` crawls it. */
const OUTSIDE_SRC: Record<string, string[]> = { 'cli/commands/selftest.ts': ['test/web/mod.ts'] };

interface Import {
  file: string;
  target: string;
}

function* sourceFiles(directory: string): Generator<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* sourceFiles(path);
    else if (entry.name.endsWith('.ts')) yield path;
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

const isTest = (file: string): boolean => file.endsWith('.test.ts');
const roomOf = (file: string): string => file.split('/')[0]!;

/** Why an import is not allowed; null when it is. */
function objection({ file, target }: Import): string | null {
  const room = roomOf(file);
  if (target.startsWith('node:')) return null;
  if (!target.startsWith('.')) {
    const name = target
      .split('/')
      .slice(0, target.startsWith('@') ? 2 : 1)
      .join('/');
    return isTest(file) || MAY_USE[room]?.includes(name) ? null : `${room}/ may not use the package ${name}`;
  }
  const path = relative(SRC, normalize(join(SRC, dirname(file), target)))
    .split(sep)
    .join('/');
  if (path.startsWith('../')) {
    const outside = path.slice(3);
    return isTest(file) || OUTSIDE_SRC[file]?.includes(outside) ? null : `src/ may not import ${outside}`;
  }
  const other = roomOf(path);
  if (other === room) return null;
  if (path !== `${other}/mod.ts`)
    return `${path} is behind the front door of ${other}/: import ${other}/mod.ts`;
  return isTest(file) || MAY_IMPORT[room]?.includes(other) ? null : `${room}/ may not import ${other}/`;
}

test('every import goes through a front door and along an edge of the table', () => {
  const objections = [...imports()].flatMap((each) => {
    const why = objection(each);
    return why === null ? [] : [`src/${each.file}: ${why}`];
  });
  assert.deepEqual(objections, []);
});

test('every room is in the table and every room of the table exists', () => {
  const rooms = readdirSync(SRC, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  assert.deepEqual(rooms.map((entry) => entry.name).sort(), Object.keys(MAY_IMPORT).sort());
});

test('the check sees a wrong edge, a back door and a stray package', () => {
  assert.match(objection({ file: 'base/heap.ts', target: '../url/mod.ts' })!, /base\/ may not import url\//);
  assert.match(
    objection({ file: 'build/build.ts', target: '../crawl/mod.ts' })!,
    /build\/ may not import crawl\//,
  );
  assert.match(objection({ file: 'cli/main.ts', target: '../crawl/frontier.ts' })!, /behind the front door/);
  assert.match(objection({ file: 'page/page.ts', target: 'cheerio' })!, /may not use the package cheerio/);
  assert.match(
    objection({ file: 'crawl/crawler.ts', target: '../../test/web/mod.ts' })!,
    /may not import test/,
  );
  assert.ok([...imports()].length > 100, 'the imports are found');
});
