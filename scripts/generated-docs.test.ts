import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { generatedDocs } from './generated-docs.ts';

for (const { file, content } of await generatedDocs()) {
  test(`docs/${basename(file)} is up to date with the code`, () => {
    assert.equal(readFileSync(file, 'utf8'), content, 'run `npm run docs` to write it anew');
  });
}
