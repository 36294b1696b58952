import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocFile } from './doc-files.ts';
import { resolveDocLink } from './doc-links.ts';

const doc = (path: string, file = path.slice(1)): [string, DocFile] => [
  path,
  { path, file, format: 'markdown', modifiedAt: 0 },
];
const docs = new Map([
  doc('/', 'README.md'),
  doc('/docs/api/Client.md'),
  doc('/docs/api/README.md'),
  doc('/docs/content/commands/npm-ci.md'),
  doc('/docs/with space.md'),
]);

const cases: [from: string, href: string, target: string, why: string][] = [
  ['/', 'docs/api/Client.md', '/docs/api/Client.md', 'a path'],
  ['/docs/api/README.md', './Client.md#new', '/docs/api/Client.md#new', 'the fragment stays'],
  ['/docs/api/README.md', 'Client', '/docs/api/Client.md', 'no suffix'],
  ['/docs/api/README.md', 'Client.html', '/docs/api/Client.md', 'the suffix after rendering'],
  ['/', 'docs/api/', '/docs/api/README.md', 'a folder'],
  ['/docs/api/Client.md', '../../README.md', '/', 'the README by its file name'],
  ['/docs/api/Client.md', '/', '/', 'the top'],
  ['/', '/commands/npm-ci', '/docs/content/commands/npm-ci.md', 'the top of another site'],
  ['/', 'docs/with%20space.md', '/docs/with%20space.md', 'escapes'],
  ['/', 'commands/npm-ci', 'commands/npm-ci', 'a relative link is taken at its word'],
  ['/', 'lib/index.js', 'lib/index.js', 'no page'],
  ['/', '#usage', '#usage', 'this page'],
  ['/', 'https://example.org/docs/', 'https://example.org/docs/', 'elsewhere'],
  ['/', '//example.org/', '//example.org/', 'elsewhere without a scheme'],
  ['/', 'docs/%ff', 'docs/%ff', 'escapes that are not UTF-8'],
];

for (const [from, href, target, why] of cases) {
  test(`on ${from} the link ${href} leads to ${target}: ${why}`, () => {
    assert.equal(resolveDocLink(docs, from, href), target);
  });
}
