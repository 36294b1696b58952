import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseManifest } from './manifest.ts';

const parse = (fields: unknown) => parseManifest(JSON.stringify(fields), 'folder');

test('a full manifest is read field by field', () => {
  const manifest = parse({
    name: '@scope/thing',
    version: '1.2.3',
    description: ' does\n things ',
    license: 'MIT',
    keywords: ['one', 'two'],
    homepage: 'https://thing.example/',
    repository: { type: 'git', url: 'git+https://code.example/thing.git' },
    dependencies: { b: '1' },
    peerDependencies: { a: '1', b: '1' },
    devDependencies: { never: '1' },
  });
  assert.deepEqual(manifest, {
    name: '@scope/thing',
    version: '1.2.3',
    description: 'does things',
    license: 'MIT',
    keywords: ['one', 'two'],
    homepage: 'https://thing.example/',
    repository: 'https://code.example/thing',
    dependencies: ['a', 'b'],
  });
});

test('fields of a wrong type count as empty', () => {
  const manifest = parse({ name: 7, keywords: 'a', dependencies: ['x'], homepage: 'javascript:alert(1)' });
  assert.equal(manifest.name, 'folder');
  assert.deepEqual(manifest.keywords, []);
  assert.equal(manifest.homepage, '');
  assert.equal(manifest.license, '');
});

test('the short forms of a repository become web addresses', () => {
  const repository = (value: string) => parse({ repository: value }).repository;
  assert.equal(repository('owner/thing'), 'https://github.com/owner/thing');
  assert.equal(repository('github:owner/thing'), 'https://github.com/owner/thing');
  assert.equal(repository('git://code.example/thing.git'), 'https://code.example/thing');
  assert.equal(repository('gist:1234'), '');
});

test('a manifest that is not a JSON object is rejected', () => {
  assert.throws(() => parseManifest('{ "name": ', 'folder'), SyntaxError);
  assert.throws(() => parseManifest('[1]', 'folder'), SyntaxError);
});
