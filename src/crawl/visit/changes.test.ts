/** Tests with the changing pages of the synthetic web which visits count as changes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask } from '../../synthetic-web/ask.ts';
import { startWeb } from '../../synthetic-web/server.ts';
import { canonicalize, createScope, createUrlRules } from '../../url/mod.ts';
import type { Response } from '../fetch/exchange.ts';
import { readResponse } from '../parsing/read-response.ts';
import type { Visited } from '../recorder.ts';
import type { LastCapture, UrlResult } from '../state/crawl-state.ts';
import { settleVisit } from './revisits.ts';

const PERIOD_MS = 3_600_000;
const START = Date.UTC(2026, 0, 31, 20);

test('new content counts as a change; dates, advertisements and comments do not', async (context) => {
  const clock = { time: START, now: () => clock.time };
  const options = { seed: 3, hosts: 1, pages: 1, features: { changing: 24 } };
  const web = await startWeb({ ...options, tuning: { changePeriodMs: PERIOD_MS } }, { clock });
  context.after(() => web.close());
  for (const { host, path, kind } of web.plan.truth.changing) {
    clock.time = START;
    const first = await visit(web.port, host, path, null);
    // The longest period is 64 times as long, so all pages that change have changed.
    clock.time += 64 * PERIOD_MS;
    const second = await visit(web.port, host, path, first.last);
    const shouldChange = kind === 'content' || kind === 'bare';
    assert.equal(first.findings.hasChanged, null);
    assert.equal(second.findings.hasChanged, shouldChange, `${kind} ${path}`);
    const { changeKey } = first.last.summary as { changeKey: number };
    const old = { ...first.last, summary: { code: 'page' as const, textKey: changeKey ^ 1 } };
    const upgraded = await visit(web.port, host, path, old);
    assert.equal(upgraded.findings.hasChanged, kind === 'never' ? false : null, 'keys of an earlier version');
  }
});

async function visit(port: number, host: string, path: string, previous: LastCapture | null) {
  const url = canonicalize(`http://${host}${path}`)!;
  const { status, headers, body } = await ask(port, host, path);
  const rawHeaders = Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
  const urlRules = createUrlRules({}, createScope('web', [url], []));
  const { reading } = readResponse(
    {
      ...{ url, depth: 0, isIndexed: true, fetchedAt: 0, status, statusText: '', rawHeaders },
      ...{ payload: body, requestHead: '', ipAddress: '' },
    },
    { urlRules, maxBodyBytes: 1e6 },
  );
  assert.ok(reading.kind === 'page');
  const result = { state: 'done', status, reason: { code: 'page' }, fetchedAt: 1 } as UrlResult;
  const visited = { result, disposition: { record: 'page', duplicateOf: null } } as unknown as Visited;
  const received = Object.entries(headers).map(([name, value]) => [name, [String(value)]] as const);
  const response = { headers: new Map(received) } as unknown as Response;
  return settleVisit(visited, { url, previous, reading, response });
}
