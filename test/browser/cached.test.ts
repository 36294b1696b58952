/** Tests cached copies of pages: display, removal of active content, refusals and differences. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { DARK_COPY, HOSTILE_COPY, HUGE_COPY, KUROSHIO, PLAIN_COPY, UNSHOWN } from './small-archive.ts';
import { prepareVisits } from './visit.ts';

const visit = prepareVisits();
const cached = (url: string, query = '') =>
  `/cached?url=${encodeURIComponent(url)}&q=${encodeURIComponent(query)}`;
const copy = (page: Page) => page.frameLocator('iframe.copy');

test('a result links to its copy with the query words highlighted', async () => {
  await visit('/search?q=kuroshio+plankton', async (page) => {
    await page.locator('.menu summary').first().click();
    await page.getByRole('link', { name: 'Cached copy' }).click();
    await copy(page).getByRole('heading', { name: 'The Kuroshio Current' }).waitFor();
    assert.deepEqual(await copy(page).locator('mark').allInnerTexts(), ['Kuroshio', 'plankton']);
    await page.getByText('This is how').getByText('June 1, 2025 at 12:00').waitFor();
    assert.equal(await page.locator('input[type=search]').inputValue(), 'kuroshio plankton');
  });
});

test('a copy is dark in dark mode and light in print', async () => {
  const isTurned = async (page: Page) =>
    (await page.evaluate("getComputedStyle(document.querySelector('iframe.copy')).filter")) !== 'none';
  for (const [colorScheme, scheme, expected] of [
    ['light', 'System setting', false],
    ['dark', 'System setting', true],
    ['dark', 'Light', false],
    ['light', 'Dark', true],
  ] as const) {
    await visit(
      '/preferences',
      async (page) => {
        await page.getByLabel(scheme).check();
        await page.getByRole('button', { name: 'Save' }).first().click();
        await page.getByText('Saved.', { exact: true }).waitFor();
        await page.goto(cached(KUROSHIO));
        assert.equal(await isTurned(page), expected, `${colorScheme}, ${scheme}`);
        await page.emulateMedia({ media: 'print' });
        assert.equal(await isTurned(page), false, 'print');
      },
      { colorScheme },
    );
  }
  const look = async (page: Page) => {
    assert.equal(await isTurned(page), false);
    const frame = page.frames().find((each) => each.url().includes('/cached/copy'))!;
    const ground = (element: string) => frame.evaluate(`getComputedStyle(${element}).backgroundColor`);
    assert.equal(await ground('document.body'), 'rgb(16, 32, 48)');
    assert.equal(await ground('document.documentElement'), 'rgba(0, 0, 0, 0)', 'the body gives the ground');
    assert.equal(
      await ground("document.querySelector('mark')"),
      'rgb(92, 81, 23)',
      'no pale mark in the dark',
    );
  };
  await visit(cached(DARK_COPY, 'gyre'), look, { colorScheme: 'dark' });
});

test('earlier copies are listed, and two of them compared', async () => {
  await visit(cached(KUROSHIO), async (page) => {
    await page.getByText('3 copies').click();
    await page.getByRole('link', { name: /June 1, 2023/ }).click();
    await copy(page).getByText('Since removed.').waitFor();
    await page.getByText('3 copies').click();
    await page.getByLabel('Older copy').selectOption({ label: 'June 1, 2023 at 12:00:00 PM UTC' });
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByText('2 lines added, 2 lines removed').waitFor();
    const [removed, added] = [page.locator('.diff del'), page.locator('.diff ins')];
    assert.deepEqual(await removed.allInnerTexts(), ['Removed:\nthree ', 'Removed:\nSince removed.']);
    assert.deepEqual(await added.allInnerTexts(), ['Added:\nfour ', 'Added:\nAdded later on.']);
  });
});

test('a page with noarchive has no copies, the earlier ones included', async () => {
  for (const path of [cached(UNSHOWN), `${cached(UNSHOWN)}&at=20240601120000`]) {
    const look = async (page: Page) => {
      await page.getByRole('heading', { name: 'This page does not allow cached copies' }).waitFor();
      assert.equal(await page.locator('iframe').count(), 0);
      assert.doesNotMatch(await page.content(), /secret/);
      const answer = await page.request.get(
        `/cached/copy?url=${encodeURIComponent(UNSHOWN)}&at=20240601120000`,
      );
      assert.equal(answer.status(), 404);
      assert.doesNotMatch(await answer.text(), /secret/);
    };
    await visit(path, look, { expectedErrors: /^Failed to load resource/ });
  }
});

test('an unknown page has no copy, and an invalid URL is an error', async () => {
  const expectedErrors = /^Failed to load resource/;
  const none = async (page: Page) => page.getByRole('heading', { name: 'No cached copy' }).waitFor();
  await visit(cached('https://nowhere.example/'), none, { expectedErrors });
  await visit(`${cached(KUROSHIO)}&at=19990101000000`, none, { expectedErrors });
  const wrong = async (page: Page) => page.getByRole('heading', { name: 'Invalid page address' }).waitFor();
  for (const url of ['', 'javascript:alert(1)', 'file:///etc/passwd']) {
    await visit(cached(url), wrong, { expectedErrors });
  }
});

test('a hostile copy runs nothing, loads nothing and stays in its frame', async () => {
  const look = async (page: Page) => {
    await copy(page).getByText('A hostile copy').waitFor();
    await page.waitForTimeout(300);
    const frame = page.frames()[1]!;
    assert.equal(page.frames().length, 2);
    assert.match(page.url(), /\/cached\?/);
    assert.equal(await page.evaluate('globalThis.hacked'), undefined);
    assert.equal(
      await frame.locator('script, img[src], iframe, form, svg, video, link, meta[http-equiv]').count(),
      0,
    );
    assert.equal(await frame.locator('#bad').getAttribute('href'), null);
    assert.equal(await frame.locator('#good').getAttribute('href'), 'https://leak.example/next');
    assert.equal(await frame.locator('#good').getAttribute('ping'), null);
    assert.equal(await page.locator('input[type=search]').isVisible(), true);
  };
  await visit(cached(HOSTILE_COPY), look, { expectedErrors: /Content Security Policy/ });
});

test('a copy is in its own sandbox, also when it is opened alone', async () => {
  const look = async (page: Page) => {
    const answer = await page.request.get(`/cached/copy?url=${encodeURIComponent(HOSTILE_COPY)}`);
    const policy = String(answer.headers()['content-security-policy']);
    assert.match(policy, /^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none';/);
    assert.doesNotMatch(policy, /allow-scripts|allow-same-origin|script-src|http/);
    await page.goto(`/cached/copy?url=${encodeURIComponent(HOSTILE_COPY)}`);
    await page.getByText('A hostile copy').waitFor();
    assert.equal(await page.evaluate('globalThis.origin'), 'null');
  };
  await visit('/', look, { expectedErrors: /Content Security Policy/ });
});

test('ten megabytes of text are cut, with a message', async () => {
  await visit(cached(HUGE_COPY, 'gyre'), async (page) => {
    await page.getByText('only its beginning is shown').waitFor();
    await copy(page).locator('mark').first().waitFor();
    const length = Number(await page.frames()[1]!.evaluate('document.body.textContent.length'));
    assert.ok(length > 1e6 && length <= 2 * 2 ** 20, `${length} characters`);
  });
});

test('other formats than HTML are shown as text', async () => {
  await visit(cached(PLAIN_COPY, 'gyre'), async (page) => {
    await copy(page).getByText('A <b>plain</b> gyre').waitFor();
    assert.equal(await copy(page).locator('mark').textContent(), 'gyre');
  });
});

test('a copy has the title of the page, a way back to the results, and a link to the first match', async () => {
  await visit(
    `/cached?url=${encodeURIComponent(KUROSHIO)}&q=plankton`,
    async (page) => {
      await page.getByRole('link', { name: 'Jump to the first match' }).click();
      await page.frameLocator('.copy').locator('mark:target').waitFor();
      await page.getByRole('link', { name: 'Back to the results' }).click();
      await page.waitForURL('**/search?q=plankton');
    },
    { javaScriptEnabled: false },
  );
  await visit(`/cached?url=${encodeURIComponent(KUROSHIO)}`, async (page) => {
    assert.equal(await page.getByRole('link', { name: 'Jump to the first match' }).count(), 0);
    assert.equal(await page.getByRole('link', { name: 'Back to the results' }).count(), 0);
    assert.match(String(await page.locator('h1').textContent()), /^Cached copy: \S/);
  });
});
