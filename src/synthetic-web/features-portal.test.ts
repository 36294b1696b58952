import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask } from './ask.ts';
import { postingAt, postingsBetween } from './features/portal/mod.ts';
import { startWeb } from './server.ts';

const PERIOD_MS = 60_000;

test('the pages and lists of a job portal agree with the truth at any time', async (context) => {
  let now = Date.UTC(2026, 0, 1);
  const options = { seed: 2, hosts: 1, pages: 1, features: { jobPortal: 12 } };
  const web = await startWeb(
    { ...options, tuning: { portalPeriodMs: PERIOD_MS } },
    { clock: { now: () => now } },
  );
  context.after(() => web.close());
  const slots = web.plan.truth.jobPortal;
  const text = async (host: string, path: string) => (await ask(web.port, host, path)).body.toString();
  const statusOf = async (host: string, path: string) => (await ask(web.port, host, path)).status;
  for (const slot of slots) {
    const posting = postingAt(slot, now);
    const [original, copy] = posting.places;
    assert.equal(copy !== undefined, slot.copy !== null);
    for (const [time, isOpen] of [
      [posting.opensAt, true],
      [posting.closesAt - 1, true],
      [posting.closesAt, false],
    ] as const) {
      now = time;
      const name = `${slot.ending} ${posting.identifier}, open: ${isOpen}`;
      const isListed = isOpen || slot.ending === 'expired';
      const lists = (await text(original!.host, '/list/1')) + (await text(original!.host, '/list/2'));
      assert.equal(lists.includes(`"${original!.path}"`), isListed, name);
      const status = isOpen || slot.ending !== 'gone' ? 200 : 404;
      for (const { host, path } of posting.places) assert.equal(await statusOf(host, path), status, name);
      assert.equal(await statusOf(original!.host, `${original!.path}?from=city`), status, name);
    }
    now = posting.changesAt;
    const changed = await text(original!.host, original!.path);
    assert.equal(changed.includes('validThrough'), slot.ending === 'expired');
    now = posting.opensAt;
    assert.notEqual(await text(original!.host, original!.path), changed);
    now = posting.opensAt - 1;
    assert.equal(await statusOf(original!.host, original!.path), 404, 'not open yet');
    const next = postingAt(slot, posting.opensAt + slot.cycleMs);
    const span = { fromMs: posting.opensAt, toMs: next.opensAt };
    assert.deepEqual(
      postingsBetween([slot], span).map(({ identifier }) => identifier),
      [posting.identifier, next.identifier],
    );
  }
});
