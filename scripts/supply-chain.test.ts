/** Checks the packages that `npm ci` installs: pinned, licensed, and without install scripts beyond those listed. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type LockedPackage, lockedPackages, nameAt, sbomOf } from './sbom.ts';

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'));
const packages = lockedPackages();
const installed = [...packages].filter(([path]) => path !== '');

/** Licenses that permit use, change and distribution with a program under Apache-2.0. */
const LICENSES = new Set([
  'Apache-2.0',
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Unlicense',
  '(MIT OR CC0-1.0)',
  'MIT OR Apache-2.0',
  '(MIT AND Zlib)',
]);
/** Licenses of single packages, which are used unchanged. `axe-core` is used only in tests. */
const OTHER_LICENSES: Record<string, string> = { argparse: 'PSF-2.0', 'axe-core': 'MPL-2.0' };

function namesWhere(isWanted: (each: LockedPackage, name: string) => boolean): string[] {
  return installed.filter(([path, each]) => isWanted(each, nameAt(path))).map(([path]) => nameAt(path));
}

test('the lock file belongs to package.json and pins every package to one version', () => {
  const { dependencies, devDependencies, optionalDependencies } = packages.get('') as Record<string, unknown>;
  assert.deepEqual(
    [dependencies, devDependencies, optionalDependencies],
    [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies],
  );
  const names = Object.keys({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  });
  assert.deepEqual(
    names.filter((name) => !packages.has(`node_modules/${name}`)),
    [],
  );
  assert.deepEqual(
    namesWhere(({ version = '' }) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
    [],
  );
});

test('every package has a checksum, except builds of a development tool for other platforms', () => {
  const unchecked = namesWhere(({ integrity = '' }) => !integrity.startsWith('sha512-'));
  assert.deepEqual(
    unchecked.filter((name) => !name.startsWith('@biomejs/cli-')),
    [],
  );
  const isOptionalTool = installed
    .filter(([path]) => unchecked.includes(nameAt(path)))
    .every(([, { dev, optional }]) => dev && optional);
  assert.ok(isOptionalTool);
});

test('every package has a license that permits its use', () => {
  const unknown = namesWhere(
    ({ license = 'none' }, name) => !LICENSES.has(license) && OTHER_LICENSES[name] !== license,
  );
  assert.deepEqual(unknown, []);
});

test('only the install script of node may run', () => {
  assert.deepEqual(manifest.allowScripts, { node: true });
  assert.deepEqual(namesWhere(({ hasInstallScript = false }) => hasInstallScript).sort(), [
    'esbuild',
    'node',
  ]);
  const { preinstall, install, postinstall } = manifest.scripts;
  assert.deepEqual([preinstall, install, postinstall], [undefined, undefined, undefined]);
});

test('the bill of materials has every installed package, and each reference in it has a target', () => {
  const bom = sbomOf(packages) as {
    components: { 'bom-ref': string; purl: string; scope: string; hashes?: { content: string }[] }[];
    dependencies: { ref: string; dependsOn: string[] }[];
  };
  assert.equal(bom.components.length, installed.length);
  const refs = new Set(bom.components.map((each) => each['bom-ref']));
  for (const { dependsOn } of bom.dependencies) for (const ref of dependsOn) assert.ok(refs.has(ref), ref);
  const own = bom.dependencies.find(({ ref }) => ref.startsWith('pkg:npm/gyre@'))!;
  assert.ok(own.dependsOn.includes('node_modules/undici'));
  const undici = bom.components.find((each) => each['bom-ref'] === 'node_modules/undici')!;
  assert.equal(undici.purl, `pkg:npm/undici@${packages.get('node_modules/undici')!.version}`);
  assert.equal(undici.scope, 'required');
  assert.equal(undici.hashes![0]!.content.length, 128);
  const scopes = new Set(bom.components.map(({ scope }) => scope));
  assert.deepEqual([...scopes].sort(), ['excluded', 'optional', 'required']);
});
