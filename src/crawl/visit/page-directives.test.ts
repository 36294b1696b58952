/** Tests of robots directives of pages, from the received response to the decision of the crawl. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { canonicalize, createScope, createUrlRules } from '../../url/mod.ts';
import { type Read, readResponse, urlsOf } from '../parsing/read-response.ts';

const PAGE = canonicalize('http://a.test/page')!;
const options = { urlRules: createUrlRules({}, createScope('host', [PAGE], [])), maxBodyBytes: 10_000 };
const table = readFileSync(new URL('../../../test/fixtures/page-directives.tsv', import.meta.url), 'utf8');

for (const line of table.split('\n').filter((each) => each !== '' && !each.startsWith('# '))) {
  const [tags, html, expected, clause] = line.split('\t').map((each) => (each === '-' ? '' : each)) as [
    string,
    string,
    string,
    string,
  ];
  test(`${clause}: ${tags || html}`, () => assert.equal(heldBy(read(tags, html)), expected));
}

function read(tags: string, html: string): Read {
  const values = tags === '' ? [] : tags.split('|');
  return readResponse(
    {
      url: PAGE,
      depth: 1,
      isIndexed: true,
      fetchedAt: Date.UTC(2026, 0, 1),
      status: 200,
      statusText: 'OK',
      rawHeaders: ['Content-Type', 'text/html', ...values.flatMap((value) => ['X-Robots-Tag', value])],
      payload: Buffer.from(html),
      requestHead: '',
      ipAddress: '',
    },
    options,
  );
}

function heldBy({ reading, page }: Read): string {
  assert.ok(reading.kind === 'page' && page);
  const { maxSnippet, unavailableAfter, ...flags } = page.robots;
  const refused = Object.entries(flags).filter(([, allowed]) => !allowed);
  const links = urlsOf(reading.links.urls).map((url) => new URL(url).pathname);
  const unquoted = (page.noSnippet ?? []).map(([start, end]) => page.text.slice(start, end));
  return [
    ...refused.map(([name]) => `no${name}`),
    ...(maxSnippet === undefined ? [] : [`max-snippet=${maxSnippet}`]),
    ...(unavailableAfter === undefined
      ? []
      : [`until=${new Date(unavailableAfter).toISOString().slice(0, 10)}`]),
    ...(links.length === 0 ? [] : [`links=${links.join(',')}`]),
    ...(unquoted.length === 0 ? [] : [`unquoted=${unquoted.join(',')}`]),
  ].join(' ');
}
