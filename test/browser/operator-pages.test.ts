/**
 * Tests the pages for operators and site owners in the browser: axe on wide and narrow screens in both colour schemes,
 * and the way from a URL to its removal.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { EVALUATED, testDesk } from '../../src/serve/admin/relevance/relevance-desk.fixture.ts';
import { recordingTools } from '../../src/serve/operations/admin-tools.fixture.ts';
import { sampleSiteTools } from '../../src/serve/sites/site-tools.fixture.ts';
import { checkAccessibility } from './axe.ts';
import { prepareVisits } from './visit.ts';

const account = { name: 'olga', role: 'operator', version: '1' } as const;
const tools = recordingTools();
const relevance = testDesk();
relevance.evaluation = EVALUATED;
const visit = prepareVisits({
  server: {
    tools,
    directoryTools: tools,
    sites: sampleSiteTools(),
    admin: {
      accounts: {
        signIn: async () => account,
        find: () => account,
        holderOf: () => null,
        list: () => ({ accounts: [], keys: [] }),
        createKey: () => '',
        revokeKey() {},
        async setPassword() {},
      },
      desk: { audit() {}, readAudit: () => [] },
      relevance,
    },
  },
});

let cookies: Awaited<ReturnType<ReturnType<Page['context']>['cookies']>> = [];

/** Signs in once. Later visits use the same session, because a client may sign in only ten times a minute. */
async function signIn(page: Page, path: string): Promise<void> {
  if (!page.url().includes('/admin/sign-in')) return;
  if (cookies.length > 0) {
    await page.context().addCookies(cookies);
    await page.goto(path);
    return;
  }
  await page.getByLabel('Name').fill('olga');
  await page.getByLabel('Password').fill('any');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Administration' }).waitFor();
  cookies = await page.context().cookies(page.url());
}

const PRIVATE = encodeURIComponent('https://a.test/private/*');
const PAGES: [name: string, path: string][] = [
  ['inspect', '/admin/inspect?url=https%3A%2F%2Fa.test%2Fa&query=tide+tables'],
  ['records', '/admin/records?q=gyre'],
  ['removals', '/admin/removals'],
  ['confirmation', `/admin/removals?target=${PRIVATE}&purge=on`],
  ['politeness', '/admin/politeness'],
  ['relevance', '/admin/relevance'],
  ['judgements', '/admin/relevance?q=gyre#results'],
  ['profiles', '/admin/relevance/profiles?first=tuned&second=default&q=gyre'],
  ['bot', '/bot?host=example.org'],
  ['opt-out', '/sites/opt-out?host=example.org'],
  ['sites', '/sites'],
];

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 320, height: 640 };

for (const [name, path] of PAGES) {
  test(`axe finds no problem on the page of ${name}, wide and narrow, light and dark`, async () => {
    for (const [colorScheme, viewport] of [
      ['light', WIDE],
      ['dark', NARROW],
    ] as const) {
      const look = async (page: Page) => {
        await signIn(page, path);
        await checkAccessibility(page);
        const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        assert.equal(await page.evaluate(overflow), 0, 'the page does not scroll sideways');
        const folder = process.env.GYRE_SCREENSHOTS;
        if (folder)
          await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`), fullPage: true });
      };
      await visit(path, look, { bypassCSP: true, colorScheme, viewport });
    }
  });
}

test('an operator inspects a URL, sees what a removal concerns, and removes it without scripts', async () => {
  tools.changes.length = 0;
  await visit(
    '/admin/inspect',
    async (page) => {
      await signIn(page, '/admin/inspect');
      await page.getByLabel('URL', { exact: true }).fill('https://a.test/a');
      await page.getByRole('button', { name: 'Inspect' }).click();
      await page.getByRole('heading', { name: 'Found in results' }).waitFor();
      await page.getByRole('button', { name: 'Fetch now' }).click();
      await page.getByText('https://a.test/a is queued.').waitFor();
      await page.getByRole('link', { name: 'Remove …' }).click();
      await page.getByRole('link', { name: 'https://a.test/a, and delete every byte (purge)' }).click();
      await page.getByText('3 pages', { exact: true }).first().waitFor();
      assert.deepEqual(tools.changes, []);
      await page.getByRole('button', { name: 'Remove and purge 3 pages' }).click();
      await page.getByText('https://a.test/a is removed.').waitFor();
    },
    { javaScriptEnabled: false },
  );
  assert.deepEqual(
    tools.changes.map(({ targets, purge }) => [targets, purge]),
    [[['https://a.test/a'], true]],
  );
});

test('an operator judges results with keys, one after the other', async () => {
  relevance.changes.length = 0;
  await visit('/admin/relevance', async (page) => {
    await signIn(page, '/admin/relevance');
    await page.getByLabel('Query', { exact: true }).fill('gyre');
    await page.getByRole('button', { name: 'Show results' }).click();
    await page.locator('#results:focus').waitFor();
    await page.keyboard.press('3');
    await page.locator('#result-2:focus').waitFor();
    await page.getByText('1 of 10 results are judged.').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('#result-3:focus').waitFor();
    await page.keyboard.press('0');
    await page.locator('#result-4:focus').waitFor();
    await page.locator('#result-3 [aria-pressed=true]', { hasText: '0 not relevant' }).waitFor();
    // A key that is typed elsewhere judges nothing.
    await page.getByLabel('Query', { exact: true }).fill('2');
    await page.keyboard.press('2');
  });
  assert.deepEqual(
    relevance.changes.map((change) => change.replace(/\S+:\/\/\S+/, 'URL')),
    ['judge gyre URL 3 web:olga', 'judge gyre URL 0 web:olga'],
  );
});

test('an operator judges, compares and publishes without scripts', async () => {
  relevance.changes.length = 0;
  relevance.evaluation = { kind: 'none' };
  await visit(
    '/admin/relevance?q=gyre',
    async (page) => {
      await signIn(page, '/admin/relevance?q=gyre');
      await page.getByRole('button', { name: '2 good' }).first().click();
      await page.getByText('Result 1: 2, good.').waitFor();
      await page.getByRole('link', { name: 'Compare profiles for this query' }).click();
      await page.getByText('not in the other list').first().waitFor();
      await page.getByRole('button', { name: /^Evaluate over/ }).click();
      await page.getByRole('cell', { name: 'significantly better' }).waitFor();
      await page.getByRole('button', { name: 'Publish default' }).click();
      await page.getByText('default is published.').waitFor();
      await page.getByRole('button', { name: 'Roll back to default' }).click();
      await page.getByText('default is in force again.').waitFor();
    },
    { javaScriptEnabled: false },
  );
  assert.deepEqual(relevance.changes.slice(1), ['evaluate tuned default', 'publish default', 'roll back']);
});
