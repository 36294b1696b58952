import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gyre, temporaryDirectory } from '../../../test/helpers/gyre.ts';

test('settings are listed with the places that their values come from, and secrets are not shown', async (context) => {
  const file = join(temporaryDirectory(context), 'gyre.json');
  writeFileSync(
    file,
    '{ "crawl": { "delay": "2s" }, "serve": { "adminToken": "0123456789abcdef", "apiKeys": ["0123456789"] } }',
  );
  const args = ['config', 'list', '--config', file, '--memory', '2Gi', '--json'];
  const { stdout } = await gyre(args, { GYRE_MEANING_MODEL: 'off' });
  assert.deepEqual(JSON.parse(stdout), {
    memory: { value: '2Gi', source: '--memory' },
    'meaning.model': { value: 'off', source: 'GYRE_MEANING_MODEL' },
    'crawl.delay': { value: '2s', source: file },
    'serve.adminToken': { value: '(set)', source: file },
    'serve.apiKeys': { value: '(set)', source: file },
  });
});

test('a setting is explained, and an unknown one is answered with the nearest', async () => {
  const { stdout } = await gyre(['config', 'explain', 'crawl.delay']);
  assert.match(stdout, /^crawl\.delay\n {2}meaning +minimum time/);
  assert.match(
    stdout,
    /in a file +\{ "crawl": \{ "delay": "1s" \} \}\n {2}environment +GYRE_CRAWL_DELAY\n {2}flag +--delay\n/,
  );
  const unknown = await gyre(['config', 'explain', 'crawl.dealy']);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /unknown key "crawl\.dealy"; did you mean "crawl\.delay"\?/);
});

test('a file with an invalid setting is refused by the check', async (context) => {
  const file = join(temporaryDirectory(context), 'gyre.json');
  writeFileSync(file, '{ "crawl": { "delay": "soon" } }');
  const { code, stderr } = await gyre(['config', 'check', '--config', file]);
  assert.equal(code, 2);
  assert.match(stderr, /gyre\.json: crawl\.delay: "soon" is not a time such as /);
  writeFileSync(file, '{ "crawl": { "delay": "5s" } }');
  const valid = await gyre(['config', 'check', '--config', file]);
  assert.match(valid.stdout, /gyre\.json is valid; \d of \d+ settings /);
});
