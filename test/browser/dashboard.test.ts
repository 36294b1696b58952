/**
 * Uses the dashboard in a browser while `gyre up` crawls the synthetic web. The request log of the synthetic web shows
 * that every control does what it says.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { sleep } from '../../src/base/mod.ts';
import { type SyntheticWeb, startWeb } from '../../src/synthetic-web/server.ts';
import { Gyre } from '../helpers/gyre.ts';
import { writeConfig } from '../helpers/synthetic-crawl.ts';
import { checkAccessibility } from './axe.ts';
import { launchBrowser, watchPage } from './visit.ts';

/** The script of axe is not from the server, so the policy of the pages would block it. */
const WITH_AXE = { bypassCSP: true };
const PHONE = { width: 390, height: 844 };

let directory: string;
let web: SyntheticWeb;
let up: Gyre;
let address: string;
let browser: Browser;
let signedIn: Awaited<ReturnType<BrowserContext['storageState']>>;

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'gyre-dashboard-'));
  // The hosts have 3,000 pages, so the crawl does not end during the test. Three requests per second and host are
  // little work, so the crawl takes no time from the browser.
  web = await startWeb({ seed: 5, hosts: 3, pages: 3000, medianPageBytes: 1000, linksPerPage: 6 });
  const crawl = { delay: '300ms', delayFactor: 0, domains: [], scope: 'host', icons: 'off' };
  const config = writeConfig(directory, crawl);
  const data = ['--data', join(directory, 'data'), '--config', config];
  up = new Gyre(['up', ...data, '--port', '0', web.seeds[0]!], {
    GYRE_MEANING_MODEL: 'off',
    GYRE_SUGGEST_QUERIES: 'on',
  });
  const launched = launchBrowser();
  const [, name, password] = await up.printed(/name (\S+), password (\S+)/);
  address = (await up.printed(/administration at (http:\S+)\/admin/))[1]!;
  browser = await launched;
  const context = await browser.newContext({ baseURL: address });
  const page = await context.newPage();
  await page.goto('/admin');
  await page.getByLabel('Name').fill(name!);
  await page.getByLabel('Password').fill(password!);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  signedIn = await context.storageState();
  await context.close();
});

after(async () => {
  await browser?.close();
  await up?.kill('SIGTERM');
  await web?.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Opens a page as an operator, and fails if it has faults. */
async function visit(
  path: string,
  look: (page: Page) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await browser.newContext({ baseURL: address, storageState: signedIn, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const faults = watchPage(page, address);
  await page.goto(path);
  await look(page);
  await context.close();
  assert.deepEqual(faults, []);
}

async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + 60_000; !(await isTrue()); await sleep(50))
    if (Date.now() > end) throw new Error(`not reached: ${what}`);
}

const originOf = (at: number) => web.seeds[at]!.slice(0, -1);
const hostOf = (at: number) => new URL(web.seeds[at]!).hostname;
const requestsTo = (at: number) => [...web.log].filter(({ host }) => host === hostOf(at)).length;

/** Waits until no request was sent for a while, and returns the number of requests. */
async function quietCount(): Promise<number> {
  for (let last = -1; ; ) {
    if (web.log.length === last) return last;
    last = web.log.length;
    await sleep(800);
  }
}

/** Waits until a host gets no request while host 0 gets four, and returns the number of its requests. */
async function blockedCount(at: number): Promise<number> {
  for (;;) {
    const [before, other] = [requestsTo(at), requestsTo(0)];
    await until(() => requestsTo(0) >= other + 4, 'host 0 is crawled');
    if (requestsTo(at) === before) return before;
  }
}

async function metrics(): Promise<Map<string, number>> {
  const text = await (await fetch(`${address}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

const figure = (page: Page, name: string) =>
  page
    .locator('dl.figures > div', { hasText: name })
    .locator('dd')
    .first()
    .evaluate((element) => element.firstChild!.textContent!);
const numberOf = (text: string) => Number(text.replaceAll(',', ''));
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('the crawl is paused, resumed, stopped and started, and the page follows live', async () => {
  await visit('/admin', async (page) => {
    await page.getByText('Live', { exact: true }).waitFor();
    await until(async () => numberOf(await figure(page, 'Pages')) > 5, 'pages are shown live');
    await press(page, 'Stop');
    await page.getByText('Stopped', { exact: true }).waitFor();
    const stopped = await quietCount();
    await press(page, 'Start');
    await page.getByText('Crawling', { exact: true }).waitFor();
    await until(() => web.log.length > stopped + 2, 'started');
    await press(page, 'Pause');
    await page.getByText('Paused', { exact: true }).waitFor();
    await quietCount();
    assert.ok(await page.getByRole('button', { name: 'Pause', exact: true }).isDisabled());
  });
});

test('figures and charts of the paused crawl agree with /metrics, and it is resumed', async () => {
  for (const query of ['a', 'the', 'zzzyx qqqw']) await fetch(`${address}/search?q=${query}`);
  await visit('/admin', async (page) => {
    await page.getByText('Live', { exact: true }).waitFor();
    const paused = await quietCount();
    const shown = await metrics();
    await until(
      async () => numberOf(await figure(page, 'Pages')) === shown.get('gyre_crawl_pages_total'),
      'the figure of pages',
    );
    assert.equal(numberOf(await figure(page, 'Queued')), shown.get('gyre_crawl_queued'));
    const sample = await page.evaluate(
      `new Promise((resolve) => {
        const stream = new EventSource('/admin/live');
        stream.addEventListener('tick', ({ data }) => { stream.close(); resolve(JSON.parse(data).sample); });
      })`,
    );
    const { pages, bytes, errors, queued, searches } = sample as Record<string, number>;
    assert.deepEqual(
      { pages, bytes, errors, queued },
      {
        pages: shown.get('gyre_crawl_pages_total'),
        bytes: shown.get('gyre_crawl_bytes_total'),
        errors: shown.get('gyre_crawl_errors_total'),
        queued: shown.get('gyre_crawl_queued'),
      },
    );
    assert.equal(searches, shown.get('gyre_http_request_duration_seconds_count{route="/search"}'));
    assert.equal(searches, 3);
    const row = page.locator('#panel-responses tbody tr', { hasText: '200' });
    assert.equal(
      numberOf((await row.locator('td').textContent())!),
      shown.get('gyre_crawl_responses_total{status="200"}'),
    );
    await page.getByText('zzzyx qqqw').waitFor();
    assert.equal(await page.locator('.chart canvas').count(), 6);
    await press(page, 'Resume');
    await until(() => web.log.length > paused + 2, 'resumed');
  });
});

test('a new seed is crawled at once, and a removed one is gone', async () => {
  await visit('/admin/seeds', async (page) => {
    await page.getByLabel(/One URL per line/).fill('ftp://example.org');
    await press(page, 'Add');
    await page.getByRole('alert').getByText('is not a web address').waitFor();
    assert.equal(requestsTo(1), 0);
    await page
      .getByLabel(/One URL per line/)
      .fill(`${web.seeds[1]} # second\n${web.seeds[2]} collection=more`);
    await press(page, 'Add');
    await page.getByText('2 seeds added.').waitFor();
    await until(() => requestsTo(1) > 1 && requestsTo(2) > 1, 'the new seeds are crawled');
    await page.getByRole('button', { name: `Remove the seed ${web.seeds[2]}` }).click();
    await page.getByText('is removed').waitFor();
    assert.equal(await page.getByRole('rowheader').count(), 2);
  });
  const settings = JSON.parse(readFileSync(join(directory, 'data', 'gyre.json'), 'utf8'));
  assert.deepEqual(settings.seeds, [web.seeds[0], web.seeds[1]]);
});

test('rules are tried on the known URLs before they are saved, and then decide', async () => {
  const rule = JSON.stringify([{ verb: 'ignore', host: hostOf(1) }]);
  await visit(
    '/admin/rules',
    async (page) => {
      const editor = page.getByLabel(/A list in JSON/);
      await editor.fill('[{ "verb": "fetch" }]');
      await press(page, 'Test');
      await page.getByRole('alert').getByText('"verb" is one of').waitFor();
      assert.equal(await editor.inputValue(), '[{ "verb": "fetch" }]', 'the text can be corrected');
      await editor.fill(rule);
      await press(page, 'Test');
      await page.getByText('known URLs get another decision').waitFor();
      const found = await page.locator('#test-result tbody th').allTextContents();
      assert.ok(found.length > 0 && found.every((url) => url.startsWith(originOf(1))), found.join(' '));
      await checkAccessibility(page);
      await press(page, 'Save');
      await page.getByText('1 rule saved.').waitFor();
      await blockedCount(1);
      await page.getByLabel(/A list in JSON/).fill('[]');
      await press(page, 'Save');
      await page.getByText('0 rules saved.').waitFor();
    },
    WITH_AXE,
  );
});

test('a host that rules no longer exclude is fetched again, slowed down, blocked and deleted', async () => {
  const front = (at: number) =>
    [...web.log].filter(({ host, path }) => host === hostOf(at) && path === '/').length;
  await visit(
    `/admin/host?origin=${encodeURIComponent(originOf(1))}`,
    async (page) => {
      const before = front(1);
      await press(page, 'Recrawl now');
      await page.getByText('are fetched again').waitFor();
      await until(() => front(1) > before, 'the front page is fetched again');
      await page.getByLabel(/Delay, such as/).fill('soon');
      await press(page, 'Set the delay');
      await page.getByRole('alert').getByText('is not a time').waitFor();
      await page.getByLabel(/Delay, such as/).fill('700ms');
      await press(page, 'Set the delay');
      await page.getByText('now has a delay of at least 700ms').waitFor();
      await press(page, 'Block');
      await page.getByText('it gets no more requests.').waitFor();
      const blocked = await blockedCount(1);
      await press(page, 'Unblock');
      await page.getByText('is no longer blocked').waitFor();
      await until(() => requestsTo(1) > blocked, 'it is crawled again');
      await until(async () => {
        await page.reload();
        return (await page.getByText('700 ms, asked for by you, for this host').count()) > 0;
      }, 'the delay is used');
      await checkAccessibility(page);
      await page.getByText('Delete all pages …').click();
      await page.getByRole('button', { name: /^Delete all pages of/ }).click();
      await page.getByText('searches no longer find its pages').waitFor();
    },
    WITH_AXE,
  );
  const [, target] = /"target":"([^"]+)"/.exec(auditOf('remove'))!;
  assert.equal(target, originOf(1).replace('http://', ''));
});

test('hosts are listed, filtered and sorted', async () => {
  await visit('/admin/hosts', async (page) => {
    await page.getByLabel('Part of the name').fill(hostOf(0));
    await press(page, 'Show');
    assert.equal(await page.getByRole('rowheader').count(), 1);
    await page.getByRole('link', { name: 'Queued' }).click();
    assert.equal(await page.locator('[aria-sort=descending]').textContent(), 'Queued');
    await page.getByLabel('Part of the name').fill('nowhere');
    await press(page, 'Show');
    await page.getByText('No host matches.').waitFor();
  });
});

test('a setting is changed while the crawl runs, and its source is shown', async () => {
  await visit('/admin/settings', async (page) => {
    const field = page.getByLabel('crawl.delay (time)');
    await field.fill('fast');
    await field.press('Enter');
    await page.getByRole('alert').getByText('crawl.delay: "fast" is not a time').waitFor();
    await field.fill('150ms');
    await field.press('Enter');
    await page.getByText('crawl.delay is now 150ms.').waitFor();
    await page.getByText('changed here').first().waitFor();
    assert.equal(await field.inputValue(), '150ms');
  });
  assert.match(auditOf('change setting'), /crawl\.delay 150ms/);
});

test('every page passes axe, in the dark and on a phone, and works without scripts', async () => {
  const paths = ['/admin', '/admin/hosts', '/admin/seeds', '/admin/rules', '/admin/settings'];
  for (const path of paths)
    await visit(
      path,
      async (page) => {
        if (path === '/admin') await page.locator('.chart canvas').first().waitFor();
        await checkAccessibility(page);
        const width = await page.evaluate('document.documentElement.scrollWidth');
        assert.ok((width as number) <= PHONE.width, `${path} is ${width} wide`);
      },
      { viewport: PHONE, colorScheme: 'dark', bypassCSP: true },
    );
  const noScripts = { javaScriptEnabled: false };
  await visit(
    '/admin',
    async (page) => {
      assert.ok(numberOf((await page.locator('#panel-frontier tbody td').first().textContent())!) >= 0);
      await press(page, 'Pause');
      await page.getByText('Pause: the crawl follows within a second.').waitFor();
    },
    noScripts,
  );
});

/** Returns the lines of the audit log with this action. */
function auditOf(action: string): string {
  const lines = readFileSync(join(directory, 'data', 'audit.log'), 'utf8').split('\n');
  return lines.filter((line) => line.includes(`"action":"${action}"`)).join('\n');
}
