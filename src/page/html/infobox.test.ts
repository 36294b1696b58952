import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { canonicalize } from '../../url/mod.ts';
import { readInfobox } from './infobox.ts';

function rowsOf(html: string): [string, string][] {
  const url = canonicalize('https://wiki.example/wiki/A')!;
  const input = { url, contentType: 'text/html', body: Buffer.from(html), xRobotsTag: [] };
  return readInfobox(input).map(({ name, value }) => [name, value]);
}

test('infobox rows have a name and a value', () => {
  const html = `<p>Text</p><table class=other><tr><th>No<td>no</table>
    <table class="infobox vcard"><caption>Kuroshio</caption>
    <tr><td colspan=2><img src=map.png> A map</td></tr>
    <tr><th colspan=2>Physical</th></tr>
    <tr><th scope=row>Basin:</th><td><a href=/wiki/P>Pacific&nbsp;Ocean</a><sup class="reference">[1]</sup></td></tr>
    <tr><th>Speed</th><td>2<br>to 4 km/h<br>(1 to 2 kn)</td></tr>
    <tr><th>Parts<td><ul><li>First<li>Second</ul><span style="display:none">hidden</span><style>.a{}</style>
    <tr><th>Area</th><td><table><tr><th>x</th><td>1 km<sup>2</sup></td></tr></table></td></tr>
    </table><table class=infobox><tr><th>Later<td>later</table>`;
  assert.deepEqual(rowsOf(html), [
    ['Basin', 'Pacific Ocean'],
    ['Speed', '2, to 4 km/h (1 to 2 kn)'],
    ['Parts', 'First, Second'],
    ['Area', 'x, 1 km2'],
  ]);
});

test('a page without one has no rows, and long values are cut', () => {
  assert.deepEqual(rowsOf('<table><tr><th>a<td>b</table> infobox'), []);
  const [[, value] = ['', '']] = rowsOf(`<table class="infobox"><tr><th>a<td>${'long '.repeat(100)}</table>`);
  assert.ok(value.length <= 160 && value.endsWith('…'));
});

test('broken markup gives rows or none, and always ends', (t) => {
  const seed = testSeed();
  t.diagnostic(`seed ${seed}`);
  const random = new Random(seed);
  const pieces =
    '<table class=infobox> </table <tr> <th> <td </td> <table> <!-- --> <script> <sup class=reference> a & <'.split(
      ' ',
    );
  for (let round = 0; round < 500; round++) {
    const html = Array.from({ length: random.below(40) }, () => random.pick(pieces)).join('');
    for (const [name, value] of rowsOf(html)) assert.ok(name !== '' && value !== '', `seed ${seed}: ${html}`);
  }
});
