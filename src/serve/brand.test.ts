import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLog, systemClock } from '../base/mod.ts';
import type { Searcher } from '../query/mod.ts';
import { type Brand, GYRE, readLogo } from './brand.ts';
import { createServer } from './server.ts';

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>');
const NAME = `<b>Anna's & "Co"</b>`;
const ESCAPED = '&lt;b&gt;Anna&#39;s &amp; &quot;Co&quot;&lt;/b&gt;';

function serverOf(context: TestContext, over: Partial<Brand> = {}) {
  const stats = () => ({ docCount: 7, segmentCount: 1, sizeBytes: 1, generation: 1 });
  const search = async () => ({ results: [], total: 0 });
  const searcher = { stats, search, close() {} } as unknown as Searcher;
  const common = { searcher, version: '9.8.7', contact: '', log: silentLog, clock: systemClock };
  const server = createServer({ ...common, brand: { ...GYRE, ...over } });
  context.after(() => server.close());
  return async (url: string) => await server.inject({ url, headers: { host: '127.0.0.1' } });
}

test('the name of the operator replaces that of Gyre on all pages, escaped', async (context) => {
  const get = serverOf(context, { name: NAME });
  for (const url of ['/', '/help', '/preferences', '/nowhere', '/bot']) {
    const { body } = await get(url);
    assert.ok(body.includes(ESCAPED), url);
    assert.ok(!body.includes('<b>Anna'), url);
    if (url !== '/bot') assert.doesNotMatch(body, /Gyre/, url);
  }
  const { body } = await get('/opensearch.xml');
  assert.match(body, /<ShortName>&lt;b&gt;Anna&#39;s &amp; &quot;Co&quot;<\/ShortName>/);
  assert.ok(body.includes(`<LongName>${ESCAPED}</LongName>`));
  assert.ok(body.includes(`Search with ${ESCAPED} at`));
});

test('links are at the foot of every page, and the start page has the text of the operator', async (context) => {
  const links = [{ name: 'Imprint <x>', url: 'https://a.example/?a=1&b="2"' }];
  const get = serverOf(context, { links, startText: 'Search <the> harbour.' });
  for (const url of ['/', '/help'])
    assert.match(
      (await get(url)).body,
      /<a href="https:\/\/a\.example\/\?a=1&amp;b=&quot;2&quot;">Imprint &lt;x&gt;<\/a>/,
    );
  const { body } = await get('/');
  assert.match(body, /Search &lt;the&gt; harbour\./);
  assert.doesNotMatch(body, /around an exact phrase/);
});

test('the logo is the picture and the icon of the pages, and colours are in the style sheet', async (context) => {
  const get = serverOf(context, { logo: readLogo(SVG, 'a.svg'), color: '#102030', darkColor: '#e0f0ff' });
  const { body } = await get('/');
  const [, path] = /<img class="mark" src="(\/assets\/logo\.\w+\.svg)" alt="">/.exec(body)!;
  assert.ok(body.includes(`<link rel="icon" href="${path}" type="image/svg+xml">`));
  const logo = await get(path!);
  assert.deepEqual([logo.headers['content-type'], logo.rawPayload], ['image/svg+xml', SVG]);
  assert.match(String(logo.headers['content-security-policy']), /default-src 'none'/);
  const [sheet] = /\/assets\/gyre\.\w+\.css/.exec(body)!;
  assert.match((await get(sheet)).body, /--brand-light: #102030;[\s\S]*--brand-dark: #e0f0ff;/);
});

test('without settings the pages are those of Gyre', async (context) => {
  const { body } = await serverOf(context)('/');
  assert.match(body, /<title>Gyre<\/title>\n<link rel="icon" href="\/favicon\.svg" type="image\/svg\+xml">/);
  assert.match(body, /<span>Gyre 9\.8\.7<\/span>/);
});

test('a logo is an SVG or PNG picture of at most 64 KiB, whatever its name', () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);
  assert.equal(readLogo(png, 'logo.svg').type, 'image/png');
  assert.equal(readLogo(Buffer.from('<?xml version="1.0"?>\n<!-- a -->\n<svg>'), 'x').type, 'image/svg+xml');
  assert.throws(() => readLogo(Buffer.from('<html><svg>'), 'a.svg'), /a\.svg is neither an SVG nor a PNG/);
  assert.throws(() => readLogo(Buffer.from('GIF89a'), 'a.gif'), /a\.gif is neither an SVG nor a PNG/);
  assert.throws(() => readLogo(Buffer.alloc(65_537), 'a.png'), /64\.0 KiB, expected at most 64\.0 KiB/);
});
