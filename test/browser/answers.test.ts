/** Answer boxes come after the results, and only where there are any. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepareVisits } from './visit.ts';

let release = () => {};
const visit = prepareVisits({
  addRoutes: (server) =>
    server.get<{ Querystring: { q: string } }>('/answers', async (request, reply) => {
      if (!request.query.q.startsWith('kuroshio')) return reply.code(204).send();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return reply
        .type('text/html; charset=utf-8')
        .send('<section class="answer"><h2>42</h2><script>globalThis.hacked = 1</script></section>');
    }),
});

test('results do not wait for an answer, which is shown when it comes', async () => {
  await visit('/search?q=kuroshio', async (page) => {
    assert.equal(await page.locator('.result').count(), 4);
    assert.equal(await page.locator('.answers').isVisible(), false);
    release();
    await page.getByRole('heading', { name: '42' }).waitFor();
    assert.equal(await page.evaluate('globalThis.hacked'), undefined);
  });
});

test('where there is no answer nothing is shown, and further pages do not ask', async () => {
  await visit('/search?q=gyre', async (page) => {
    await page.waitForLoadState('networkidle');
    assert.equal(await page.locator('.answers').isVisible(), false);
    await page.goto('/search?q=gyre&page=2');
    assert.equal(await page.locator('.answers').count(), 0);
  });
});
