/** Compares the dependency tables of decision 4 with `package.json`. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const DECISION = 'docs/decisions/0004-dependencies.md';

/** Returns the packages in one table of decision 4, sorted. */
function packagesInTable(part: string): string[] {
  return Array.from(part.matchAll(/^\| `([^`]+)` \|/gm), (match) => match[1]!).sort();
}

test('the dependency tables have exactly the packages of package.json', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  );
  const [atRunTime, forDevelopment] = readFileSync(join(ROOT, DECISION), 'utf8').split(
    'For development and tests only:',
  );
  assert.deepEqual(
    packagesInTable(atRunTime!),
    Object.keys({ ...dependencies, ...optionalDependencies }).sort(),
  );
  assert.deepEqual(packagesInTable(forDevelopment!), Object.keys(devDependencies).sort());
});
