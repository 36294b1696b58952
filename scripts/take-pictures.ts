/**
 * Takes the screenshots in docs/images/ from the running demonstration, in a real browser. Run it with `npm
 * run pictures`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { Gyre } from '../test/helpers/gyre.ts';

interface Picture {
  file: string;
  path: string;
  options?: BrowserContextOptions;
  /** The actions in the page before the screenshot. */
  act?: (page: Page) => Promise<unknown>;
}

const ROOT = join(import.meta.dirname, '..');
const SIZE = { width: 1100, height: 760 };
const RESULTS = '/search?q=http+client';

const PICTURES: Picture[] = [
  { file: 'start.png', path: '/' },
  { file: 'results.png', path: RESULTS },
  { file: 'menu.png', path: RESULTS, act: (page) => page.locator('.menu summary').nth(1).click() },
  {
    file: 'answer.png',
    path: '/search?q=2+hours+in+ms',
    act: (page) => page.locator('.answer').first().waitFor(),
  },
  { file: 'dark.png', path: RESULTS, options: { colorScheme: 'dark' } },
  { file: 'phone.png', path: RESULTS, options: { viewport: { width: 390, height: 760 } } },
  { file: 'preferences-arabic.png', path: '/preferences', options: { locale: 'ar' } },
  { file: 'cached.png', path: RESULTS, act: openCopy },
];

const data = mkdtempSync(join(tmpdir(), 'gyre-pictures-'));
const gyre = new Gyre(['up', '--data', data, '--port', '0']);
const executablePath = execFileSync(join(ROOT, 'scripts', 'services'), ['path', 'chromium'])
  .toString()
  .trim();
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-background-networking'],
});
try {
  const [, address] = await gyre.printed(/search at (http:\S+)/);
  await gyre.printed(/ready: /);
  for (const picture of PICTURES) await take(browser, address!, picture);
} finally {
  await browser.close();
  await gyre.kill('SIGINT');
  rmSync(data, { recursive: true });
}

async function take(browser: Browser, baseURL: string, { file, path, options, act }: Picture): Promise<void> {
  const page = await browser.newPage({ baseURL, viewport: SIZE, ...options });
  // Runs the query once before the screenshot, because the first run of a query takes longer, and the page
  // shows the time.
  if (path.startsWith('/search')) await page.request.get(`/api/v1${path}`);
  await page.goto(path);
  await act?.(page);
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: join(ROOT, 'docs', 'images', file) });
  await page.close();
}

async function openCopy(page: Page): Promise<void> {
  await page.locator('.menu summary').nth(1).click();
  await page.getByRole('link', { name: 'Cached copy' }).click();
  await page.frameLocator('.copy').locator('mark').first().waitFor();
}
