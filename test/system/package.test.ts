/** Packs Gyre as `npm publish` does, twice, and runs the command of the package. Needs no network. */
import assert from 'node:assert/strict';
import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');

test('packing twice gives the same bytes, and the packed program works', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gyre-package-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const first = pack(ROOT, join(directory, 'first'));
  execFileSync('tar', ['-xzf', first, '-C', directory]);
  const modules = join(directory, 'node_modules');
  const installed = join(modules, 'gyre');
  mkdirSync(modules);
  renameSync(join(directory, 'package'), installed);
  // The second package is made from the files of the first: they have other times and are in another directory.
  const second = pack(installed, join(directory, 'second'));
  assert.ok(readFileSync(first).equals(readFileSync(second)));
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
  assert.deepEqual(
    files.filter((name) => /\.(test|fixture)\.ts$/.test(name)),
    [],
  );
  linkDependencies(modules);
  const { status, stdout, stderr } = run(installed, ['selftest']);
  assert.equal(status, 0, stdout + stderr);
});

/** Packs the package in `from` and returns the path of the archive. Scripts would build the same files again. */
function pack(from: string, to: string): string {
  mkdirSync(to);
  const options = ['--ignore-scripts', '--offline', '--loglevel', 'error', '--pack-destination', to];
  execFileSync('npm', ['pack', ...options], { cwd: from, stdio: 'pipe' });
  return join(to, readdirSync(to)[0]!);
}

/** Links the packages that Gyre needs at run time, and no others, as `npm install gyre` would install them. */
function linkDependencies(modules: string): void {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
}

function run(installed: string, args: readonly string[]): SpawnSyncReturns<string> {
  const { npm_command: _, NODE_COMPILE_CACHE: __, ...inherited } = process.env;
  const env = { ...inherited, GYRE_MEANING_MODEL: 'off' };
  return spawnSync(process.execPath, [join(installed, 'bin', 'gyre'), ...args], { env, encoding: 'utf8' });
}
