/**
 * Checks the exports of `src/`: no name is declared twice, and each is used.
 *
 * An export is used when another production file imports it, or when its own file uses it and a test imports it. Front
 * doors are followed to the file that declares a name.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|let|interface|type) (\w+)/gm;
const STATEMENT = /^(import|export)(?: type)? (\{[^}]*\}) from '(\.[^']+)'/gm;
const DYNAMIC_IMPORT = /import\('[^']+'\)[^;]{0,80}/g;

/** Files whose exports are used by name, not by an import: commands, and the synthetic web, which serves tests. */
const EXEMPT = /^src\/(?:cli\/commands|synthetic-web)\//;

/** Exports that only tests and documents need, with the reason. */
const FOR_TESTS = new Set([
  // A test checks that docs/query-language.md describes every field.
  'src/query/language/fields.ts#FIELD_NAMES',
  // Operators name its file as an extractor.
  'src/page/extractors/media-wiki.ts#mediaWikiExtractor',
  // Memory of the kernel, which a test fills.
  'src/crawl/duplicates/sketch-kernel.ts#WORDS',
  // Divides hosts among the owners of a cluster; one process owns all of them.
  'src/url/partition.ts#partitionOf',
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

/** Returns the declaration of a name that is imported through front doors. */
function originOf(imported: Name): Name {
  let name = imported;
  for (let next = reExports.get(keyOf(name)); next; next = reExports.get(keyOf(name))) name = next;
  return name;
}

test('no exported name is declared twice', () => {
  const files = Map.groupBy(declarations, ({ name }) => name);
  const twice = [...files].flatMap(([name, found]) => {
    const where = new Set(found.map(({ file }) => file));
    return where.size > 1 ? [`${name}: ${[...where].join(', ')}`] : [];
  });
  assert.deepEqual(twice, []);
});

test('every export is used', () => {
  const inProduction = new Set<string>();
  const inTests = new Set<string>();
  for (const { from, imported } of imports)
    (isTest(from) ? inTests : inProduction).add(keyOf(originOf(imported)));
  const byName = new Set([...texts].flatMap(([file, text]) => (isTest(file) ? [] : dynamicNames(text))));
  const unused = declarations.filter((declared) => {
    const { file, name } = declared;
    if (
      EXEMPT.test(file) ||
      FOR_TESTS.has(keyOf(declared)) ||
      inProduction.has(keyOf(declared)) ||
      byName.has(name)
    )
      return false;
    const uses = texts.get(file)!.match(new RegExp(`\\b${name}\\b`, 'g'))!.length;
    return uses === 1 || !inTests.has(keyOf(declared));
  });
  assert.deepEqual(unused.map(keyOf), []);
});

test('every name of a front door is imported through it', () => {
  const asked = new Set(imports.map(({ imported }) => keyOf(imported)));
  const passedOn = new Set([...reExports.values()].map(keyOf));
  const doors = [...reExports.keys()].filter((key) => key.includes('/mod.ts#') && !EXEMPT.test(key));
  assert.deepEqual(
    doors.filter((key) => !asked.has(key) && !passedOn.has(key)),
    [],
  );
});

function dynamicNames(text: string): string[] {
  return [...text.matchAll(DYNAMIC_IMPORT)].flatMap(([match]) => match.match(/\b\w+\b/g) ?? []);
}
