import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sleep } from '../base/mod.ts';
import { ask } from './ask.ts';
import type { Features } from './features.ts';
import { type SyntheticWeb, startWeb } from './server.ts';

let web: SyntheticWeb;
let now = Date.UTC(2025, 5, 1, 12, 0, 0, 400);
before(async () => {
  const features: Features = {
    soft404: true,
    errors403: true,
    errors404: true,
    errors410: true,
    errors500: true,
    tooMany: true,
    unavailable: true,
    flaky: true,
    slow: true,
    hanging: true,
    endlessStream: true,
    truncated: true,
    hugeHeaders: true,
  };
  const tuning = { slowMs: 200, retryAfterMs: 3000 };
  web = await startWeb({ seed: 4, hosts: 1, pages: 1, features, tuning }, { clock: { now: () => now } });
});
after(() => web.close());

test('errors answer their status, and the home page links to them', async () => {
  const { errors403, errors404, errors410, errors500 } = web.plan.truth;
  for (const { host, path, status } of [...errors403, ...errors404, ...errors410, ...errors500]) {
    assert.equal((await ask(web.port, host, path)).status, status);
    assert.ok((await ask(web.port, host, '/')).body.includes(`href="${path}"`));
  }
});

test('soft 404s answer any address as if it were there', async () => {
  for (const { host, manner, real, missing } of web.plan.truth.soft404) {
    for (const path of real) {
      const { status, body } = await ask(web.port, host, path);
      assert.ok(status === 200 && !body.includes('not found'));
    }
    for (const path of [...missing, '/never/heard/of']) {
      const { status, headers, body } = await ask(web.port, host, path);
      if (manner === 'home') assert.deepEqual([status, headers.location], [302, '/']);
      else assert.ok(status === 200 && body.includes('Page not found'));
    }
  }
});

test('429 and 503 ask for patience and then reward it', async () => {
  const { tooMany, unavailable } = web.plan.truth;
  for (const { host, path, status, form, waitMs, uniqueWord } of [...tooMany, ...unavailable]) {
    const first = await ask(web.port, host, path);
    assert.equal(first.status, status);
    const header = first.headers['retry-after']!;
    const askedMs = form === 'seconds' ? Number(header) * 1000 : Date.parse(header) - now;
    assert.ok(askedMs >= waitMs && askedMs < waitMs + 1000);
    const entry = web.log.entries().at(-1)!;
    assert.ok(Math.abs(entry.retryAt! - entry.startedAt - askedMs) < 50);
    now += waitMs - 1;
    assert.equal((await ask(web.port, host, path)).status, status);
    now += 1;
    const last = await ask(web.port, host, path);
    assert.ok(last.status === 200 && last.body.includes(uniqueWord));
  }
});

test('flaky pages succeed after their failures', async () => {
  for (const { host, path, failures, manner, uniqueWord } of web.plan.truth.flaky) {
    for (let failure = 0; failure < failures; failure++) {
      const { status, end } = await ask(web.port, host, path);
      assert.deepEqual([status, end], manner === 'cut' ? [0, 'cut'] : [Number(manner), 'complete']);
    }
    assert.ok((await ask(web.port, host, path)).body.includes(uniqueWord));
  }
});

describe('time', () => {
  test('slow pages come whole, and late', async () => {
    for (const { host, path, slowMs, uniqueWord } of web.plan.truth.slow) {
      const start = performance.now();
      const { status, body } = await ask(web.port, host, path);
      assert.ok(performance.now() - start > slowMs - 10);
      assert.ok(status === 200 && body.includes(uniqueWord) && body.includes('</html>'));
    }
  });

  test('hanging pages send what they send and then nothing', async () => {
    for (const { host, path, manner } of web.plan.truth.hanging) {
      const { status, body, end } = await ask(web.port, host, path, { patienceMs: 150 });
      assert.equal(end, 'gave-up');
      assert.equal(status, manner === 'nothing' ? 0 : 200);
      assert.equal(body.length > 0, manner === 'half');
    }
  });

  test('the log has the client that left', async () => {
    const { host, path } = web.plan.truth.hanging[1]!;
    await ask(web.port, host, path, { patienceMs: 50 });
    const entry = web.log.entries().at(-1)!;
    while (entry.finishedAt === null) await sleep(5);
    assert.equal(entry.outcome, 'left');
  });

  test('endless streams flood or trickle', async () => {
    for (const { host, path, manner, uniqueWord } of web.plan.truth.endlessStream) {
      const patienceMs = manner === 'flood' ? 10_000 : 300;
      const { body, end } = await ask(web.port, host, path, { patienceMs, maxBytes: 500_000 });
      assert.equal(end, 'gave-up');
      assert.ok(body.subarray(0, 1000).includes(uniqueWord));
      assert.ok(
        manner === 'flood' ? body.length >= 500_000 : body.length < 10_000,
        `${manner} ${body.length}`,
      );
    }
  });
});

test('truncated pages stop halfway', async () => {
  for (const { host, path, manner, sentBytes } of web.plan.truth.truncated) {
    const { headers, body, end } = await ask(web.port, host, path);
    assert.deepEqual([end, body.length], ['cut', sentBytes]);
    assert.equal(Number(headers['content-length']) > sentBytes, manner === 'length');
    assert.equal(web.log.entries().at(-1)!.outcome, 'cut');
  }
});

test('huge headers are as large as the truth says', async () => {
  const [{ host, path, headerBytes } = { host: '', path: '', headerBytes: 0 }] = web.plan.truth.hugeHeaders;
  const { status, headers } = await ask(web.port, host, path);
  assert.equal(status, 200);
  assert.ok(JSON.stringify(headers).length > headerBytes && headerBytes > 200_000);
});
