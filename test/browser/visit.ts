/**
 * Opens a real browser on a real server. Besides the assertions of the test, a visit fails if the page
 * requested anything from another origin, wrote an error to the console, or opened a dialogue.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Answerer } from '../../src/answer/mod.ts';
import { silentLog, systemClock } from '../../src/base/mod.ts';
import { createServer, listen } from '../../src/serve/mod.ts';
import { smallArchive } from './small-archive.ts';
import { smallDetails } from './small-details.ts';
import { SmallSearcher } from './small-searcher.ts';

export interface VisitOptions extends BrowserContextOptions {
  /** Console errors that the test expects; by default there may be none. */
  expectedErrors?: RegExp;
}

export interface PrepareOptions {
  searcher?: SmallSearcher;
  answerer?: Answerer;
  /** More options of the test server, such as those of the admin pages. */
  server?: Partial<Parameters<typeof createServer>[0]>;
  /** Adds routes to the test server that other modules would add. */
  addRoutes?: (server: ReturnType<typeof createServer>) => void;
}

export type Visit = (
  path: string,
  look: (page: Page) => Promise<void>,
  options?: VisitOptions,
) => Promise<void>;

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts server and browser before the tests of a file, and stops them after. */
export function prepareVisits(options: PrepareOptions = {}): Visit {
  const { searcher = new SmallSearcher(), answerer, addRoutes } = options;
  const more = options.server ?? {};
  const status = () => ({ state: 'crawling', pages: 120, queued: 3456, errors: 2 }) as const;
  const common = {
    version: '0.0.0',
    contact: 'https://example.org/contact',
    log: silentLog,
    clock: systemClock,
  };
  const server = createServer({
    ...common,
    searcher,
    ...(answerer && { answerer }),
    status,
    archive: smallArchive,
    details: smallDetails(searcher),
    siteRules: [{ site: 'he.example', effect: 'lower' }],
    ...more,
    elsewhere: [{ bang: 'self', name: 'Here', url: '/preferences?saved={query}' }],
  });
  addRoutes?.(server);
  let browser: Browser;
  let origin: string;
  before(async () => {
    origin = await listen(server, { host: '127.0.0.1', port: 0 });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await server.close();
  });
  return async (path, look, { expectedErrors, ...options } = {}) => {
    const context = await browser.newContext({ baseURL: origin, ...options });
    const page = await context.newPage();
    const faults = watchPage(page, origin, expectedErrors);
    await page.goto(path);
    await look(page);
    await context.close();
    assert.deepEqual(faults, []);
  };
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: FLAGS });
}

function chromiumPath(): string {
  const services = join(import.meta.dirname, '..', '..', 'scripts', 'services');
  return execFileSync(services, ['path', 'chromium'], { encoding: 'utf8' }).trim();
}

/** Returns a list that gets an entry for each fault of the page: requests to other origins, errors and dialogues. */
export function watchPage(page: Page, origin: string, expectedErrors?: RegExp): string[] {
  const faults: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) faults.push(`request to ${request.url()}`);
  });
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !expectedErrors?.test(text)) faults.push(`console: ${text}`);
  });
  page.on('pageerror', (error) => faults.push(`script error: ${error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialogue: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return faults;
}
