import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandFor } from './advice.ts';

test('advice has the data directory unless it is the default', () => {
  assert.equal(commandFor('resume', 'data', {}), 'gyre resume');
  assert.equal(commandFor('resume', '/srv/gyre', {}), 'gyre resume --data /srv/gyre');
});

test('a directory with shell characters is quoted', () => {
  assert.equal(commandFor('status', "/my data/it's", {}), "gyre status --data '/my data/it'\\''s'");
});

test('advice uses npx if npm started the process', () => {
  assert.equal(commandFor('stop', 'data/demo', { npm_command: 'start' }), 'npx gyre stop --data data/demo');
});
