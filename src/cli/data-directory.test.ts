import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { missingPart, openData } from './data-directory.ts';

const root = mkdtempSync(join(tmpdir(), 'gyre-data-'));
after(() => rmSync(root, { recursive: true }));

test('what opening a directory would make is the outermost that is missing, and nothing once it is there', () => {
  const path = join(root, 'new', 'one');
  assert.equal(missingPart(path), join(root, 'new'));
  openData(path);
  assert.equal(missingPart(path), null);
});
