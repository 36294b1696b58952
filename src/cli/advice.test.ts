import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandFor } from './advice.ts';

test('advice names the directory that is meant, unless it is meant anyway', () => {
  assert.equal(commandFor('resume', 'data', {}), 'gyre resume');
  assert.equal(commandFor('resume', '/srv/gyre', {}), 'gyre resume --data /srv/gyre');
});

test('a directory that a shell would take apart is quoted', () => {
  assert.equal(commandFor('status', "/my data/it's", {}), "gyre status --data '/my data/it'\\''s'");
});

test('who came by npm is told to come by npx', () => {
  assert.equal(commandFor('stop', 'data/demo', { npm_command: 'start' }), 'npx gyre stop --data data/demo');
});
