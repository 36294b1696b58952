/**
 * Checks the exports of `src/`: no exported name is declared twice, and each export is used.
 *
 * An export counts as used if another production file imports it, directly or through a `mod.ts`. The
 * exceptions are listed by name.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { reportBar } from './helpers/bar.ts';

const ROOT = join(import.meta.dirname, '..');
const DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|let|interface|type) (\w+)/gm;
const STATEMENT = /^(import|export)(?: type)? (\{[^}]*\}) from '(\.[^']+)'/gm;
const DYNAMIC_IMPORT = /import\('[^']+'\)[^;\n]{0,80}/g;

/**
 * Matches files whose exports need no import in production: commands, which are loaded by name, the synthetic web,
 * which tests use, and the dashboard, whose files are bundled.
 */
const EXEMPT = /^src\/(?:cli\/commands|synthetic-web|web\/dashboard)\//;

/** Exports that only tests and documents need. The comment before each gives the reason. */
const FOR_TESTS = new Set([
  // Tests of RabbitMQ open link exchanges with these options, and read the dead letters.
  'src/cluster/links/rabbit-link-exchange.ts#RabbitLinkExchangeOptions',
  'src/cluster/links/link-queues.ts#deadLetterQueue',
  // The simulation in bench/scale uses these leases.
  'src/cluster/coordinator.ts#COORDINATOR_LEASE_MS',
  'src/cluster/membership.ts#MEMBER_LEASE_MS',
  // A test compares these colours with the style sheet.
  'src/cli/settings/brand-settings.ts#SURFACES',
  // A test inserts schema versions that are later than this one.
  'src/cluster/migrations.ts#CLUSTER_SCHEMA_VERSION',
  // A test checks that docs/query-language.md describes every field.
  'src/query/language/fields.ts#FIELD_NAMES',
  // Operators name the file of this extractor in their configuration.
  'src/page/extractors/media-wiki.ts#mediaWikiExtractor',
  // A test writes to this memory of the kernel.
  'src/sketch/sketch-kernel.ts#WORDS',
  // Tests compute the sketch of any text; production code only sketches pages.
  'src/sketch/sketch.ts#sketchOf',
  // Tests create models of this shape.
  'src/meaning/model-files.ts#tensorShapes',
  // Tests and benchmarks use a directory as a blob store.
  'src/base/files/blob-store.ts#blobsIn',
  'src/index/segment-cache.ts#SegmentCache',
  'src/index/segment-cache.ts#CachedSegments',
  'src/index/segment-cache.ts#CachedSegmentsOptions',
  'src/index/segment-cache.ts#CacheSpace',
  'src/index/segment-cache.ts#localSegments',
]);

/**
 * Exports that only the test of the same file imports. Do not add to this list without need: a function that
 * needs its own tests usually belongs in its own file.
 */
const PARTS_UNDER_TEST = new Set([
  'src/crawl/state/sqlite/sqlite-host-list.ts#HostQuery',
  'src/answer/messages/answer-words.ts#ANSWER_LANGUAGES',
  'src/answer/messages/answer-words.ts#ENGLISH_ANSWERS',
  'src/archive/warc/warc-format.ts#Resource',
  'src/base/workers/parser-pool.ts#ParserPoolOptions',
  'src/build/build.ts#BuildOptions',
  'src/build/index-document.ts#depthOf',
  'src/cli/help-text.ts#flagUsage',
  'src/cli/serving/serve-session.ts#cookieSecret',
  'src/crawl/duplicates/near-duplicates.ts#NEAR_DUPLICATE_DEFAULTS',
  'src/crawl/fetch/fetcher.ts#FetcherOptions',
  'src/crawl/parsing/read-response.ts#Read',
  'src/crawl/traps/host-budget.ts#BUDGET_DEFAULTS',
  'src/graph/aliases.ts#NO_ALIAS',
  'src/graph/hosts/host-signals.ts#LinkSignals',
  'src/index/manifest.ts#MANIFEST_NAME',
  'src/index/segment-cache.ts#searchedFilesOf',
  'src/page/formats/sitemap.ts#Sitemap',
  'src/query/local-searcher.ts#LocalSearcherOptions',
  'src/query/terms/term-query.ts#MAX_TERMS',
  'src/sample/package-hosts.ts#hostOfPackage',
  'src/scoring/evaluation/metrics.ts#Metric',
  'src/scoring/evaluation/tune.ts#Weights',
  'src/scoring/evaluation/tune.ts#fit',
  'src/scoring/features.ts#FEATURES',
  'src/scoring/features.ts#Feature',
  'src/scoring/profiles.ts#ProfileName',
  'src/scoring/published.ts#COMPASS_TAGS',
  'src/scoring/published.ts#runWeight',
  'src/scoring/published.ts#tagWeight',
  'src/serve/cached/copy-tasks.ts#allowsCopies',
  'src/serve/guards/admission-queue.ts#AdmissionLimits',
  'src/serve/guards/connections.ts#ConnectionLimits',
  'src/serve/icons/small-picture.ts#MAX_PICTURE_BYTES',
  'src/serve/messages/words.ts#Message',
  'src/serve/http/form-body.ts#parseMultipart',
  'src/serve/results/explain-page.ts#partName',
  'src/serve/results/page-numbers.ts#pageWindow',
  'src/url/canonical.ts#canonicalizer',
  'src/url/url-list.ts#SHIPPED_LISTS',
  'src/url/url-list.ts#parseUrlList',
  'src/url/url-rules.ts#UrlRulesConfig',
]);

const isTest = (file: string): boolean => /\.(?:test|fixture)\.ts$/.test(file) || !file.startsWith('src/');

interface Name {
  file: string;
  name: string;
}

const keyOf = ({ file, name }: Name): string => `${file}#${name}`;

const texts = new Map(
  globSync(['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts', 'examples/**/*.ts'], {
    cwd: ROOT,
    exclude: (path) => /node_modules|assembly$/.test(path),
  }).map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
);
const declarations = [...texts].flatMap(([file, text]) =>
  isTest(file) ? [] : Array.from(text.matchAll(DECLARATION), (match): Name => ({ file, name: match[1]! })),
);
const { reExports, imports } = readStatements();

function readStatements() {
  const reExports = new Map<string, Name>();
  const imports: { from: string; imported: Name }[] = [];
  for (const [from, text] of texts) {
    for (const [, verb, clause, target] of text.matchAll(STATEMENT)) {
      const file = normalize(join(dirname(from), target!));
      for (const part of clause!.slice(1, -1).split(',')) {
        const [name, alias = name] = part
          .trim()
          .replace(/^type /, '')
          .split(' as ');
        if (!name) continue;
        if (verb === 'export') reExports.set(keyOf({ file: from, name: alias! }), { file, name });
        else imports.push({ from, imported: { file, name } });
      }
    }
  }
  return { reExports, imports };
}

/** Returns the declaration of an imported name, following `mod.ts` files to the file that declares it. */
function originOf(imported: Name): Name {
  let name = imported;
  for (let next = reExports.get(keyOf(name)); next; next = reExports.get(keyOf(name))) name = next;
  return name;
}

test('no exported name is declared twice', (t) => {
  const files = Map.groupBy(declarations, ({ name }) => name);
  const twice = [...files].flatMap(([name, found]) => {
    const where = new Set(found.map(({ file }) => file));
    return where.size > 1 ? [`${name}: ${[...where].join(', ')}`] : [];
  });
  reportBar(t, 'exported names declared twice', twice.length);
  assert.deepEqual(twice, []);
});

test('every export has an importer in production', (t) => {
  const { inProduction } = importers();
  const unused = declarations.filter(
    (declared) =>
      !EXEMPT.test(declared.file) &&
      !inProduction.has(keyOf(declared)) &&
      !FOR_TESTS.has(keyOf(declared)) &&
      !PARTS_UNDER_TEST.has(keyOf(declared)),
  );
  const exceptionCount = FOR_TESTS.size + PARTS_UNDER_TEST.size;
  reportBar(t, 'unused exports', `${unused.length} (${exceptionCount} listed exceptions)`);
  assert.deepEqual(unused.map(keyOf), []);
});

test('every exception is an export that its file uses and only tests import', () => {
  const { inProduction, inTests } = importers();
  const declared = new Map(declarations.map((each) => [keyOf(each), each]));
  const stale = [...PARTS_UNDER_TEST].filter((key) => {
    const { file = '', name = '' } = declared.get(key) ?? {};
    const uses = texts.get(file)?.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0;
    return uses < 2 || inProduction.has(key) || !inTests.has(key);
  });
  assert.deepEqual(stale, []);
});

/** Returns the declarations that production files and tests import. */
function importers() {
  const inProduction = new Set<string>();
  const inTests = new Set<string>();
  for (const { from, imported } of imports)
    (isTest(from) ? inTests : inProduction).add(keyOf(originOf(imported)));
  const byName = new Set([...texts].flatMap(([file, text]) => (isTest(file) ? [] : dynamicNames(text))));
  for (const declared of declarations) if (byName.has(declared.name)) inProduction.add(keyOf(declared));
  return { inProduction, inTests };
}

test('every name of a front door is imported through it in production', () => {
  const byName = new Set([...texts].flatMap(([file, text]) => (isTest(file) ? [] : dynamicNames(text))));
  // Authors of extractors import the names that the examples import, so these count as used.
  const asked = new Set(
    imports
      .filter(({ from }) => !isTest(from) || from.startsWith('examples/'))
      .map(({ imported }) => keyOf(imported)),
  );
  const passedOn = new Set([...reExports.values()].map(keyOf));
  const doors = [...reExports.keys()].filter((key) => key.includes('/mod.ts#') && !EXEMPT.test(key));
  assert.deepEqual(
    doors.filter((key) => !asked.has(key) && !passedOn.has(key) && !byName.has(key.split('#')[1]!)),
    [],
  );
});

function dynamicNames(text: string): string[] {
  return [...text.matchAll(DYNAMIC_IMPORT)].flatMap(([match]) => match.match(/\b\w+\b/g) ?? []);
}
