/** Takes the pictures in docs/images/ from the running demonstration, in a real browser. `npm run pictures` */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { Gyre } from '../test/helpers/gyre.ts';

const ROOT = join(import.meta.dirname, '..');
const PICTURES: [file: string, path: string][] = [
  ['start.png', '/'],
  ['results.png', '/search?q=http+client'],
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
  const page = await browser.newPage({ viewport: { width: 1100, height: 760 } });
  for (const [file, path] of PICTURES) {
    await page.goto(address + path);
    await page.screenshot({ path: join(ROOT, 'docs', 'images', file) });
  }
} finally {
  await browser.close();
  await gyre.kill('SIGINT');
  rmSync(data, { recursive: true });
}
