import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePage } from '../../page/mod.ts';
import type { ArchivedPage } from '../../serve/mod.ts';
import { canonicalize } from '../../url/mod.ts';
import { readablePages } from './archived-pages.ts';

const URL = canonicalize('https://example.org/')!;

test('data-nosnippet passages of a page are withheld', async () => {
  const told = await read(
    '<p>Ada lived in Paris.</p><p data-nosnippet>She hid in Rome.</p><p>She wrote.</p>',
  );
  assert.equal(told?.text, 'Ada lived in Paris.\nShe wrote.');
});

test('a page with noarchive or nosnippet is withheld', async () => {
  for (const directive of ['noarchive', 'nosnippet', 'max-snippet:100', 'noindex'])
    assert.equal(await read(`<meta name=robots content="${directive}"><p>Ada</p>`), null, directive);
});

async function read(source: string) {
  const input = { url: URL, contentType: 'text/html', body: Buffer.from(source), xRobotsTag: [] };
  const found: ArchivedPage = { kind: 'page', page: parsePage(input)!, facts: [], entries: [], fetchedAt: 1 };
  const told = await readablePages({ page: async () => found }, { now: () => 2 }).read(URL);
  return told.kind === 'page' ? told.page : null;
}
