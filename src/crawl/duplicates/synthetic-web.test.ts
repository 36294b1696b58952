/** Compares the duplicates found in the synthetic web with the known duplicates. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openDirectory, Random } from '../../base/mod.ts';
import { type Page, parsePage } from '../../page/mod.ts';
import { type Sketch, similarity, sketchOfPage } from '../../sketch/sketch.ts';
import { planWeb } from '../../synthetic-web/plan.ts';
import type { Place } from '../../synthetic-web/site.ts';
import { type CanonicalUrl, canonicalize, fingerprint, pathOf } from '../../url/mod.ts';
import { isPlausibleCanonical } from './canonical-link.ts';
import { isSoft404, isSoft404Redirect, type MissingProbe, missingUrl, probeOfPage } from './missing-page.ts';
import { NearDuplicates } from './near-duplicates.ts';

const root = mkdtempSync(join(tmpdir(), 'gyre-pairs-'));
after(() => rmSync(root, { recursive: true }));

const plan = planWeb({
  seed: 7,
  hosts: 20,
  pages: 600,
  features: { exactDuplicates: 200, nearDuplicates: 800, soft404: 6, canonical: 21 },
});

const urlOf = ({ host, path }: Place): CanonicalUrl => `http://${host}${path}` as CanonicalUrl;

function read(url: CanonicalUrl, body: Uint8Array): Page {
  return parsePage({ url, contentType: 'text/html; charset=utf-8', body, xRobotsTag: [] })!;
}

function answerAt(place: Place) {
  const site = plan.sites.get(place.host)!;
  const url = (host: string, path: string) => urlOf({ host, path });
  return site.answer({ ...place, port: 80, now: 0, url } as unknown as Parameters<typeof site.answer>[0]);
}

/** Returns the synthetic page for a URL, or null if the URL redirects or does not exist. */
function pageAt(place: Place): Page | null {
  const answer = answerAt(place);
  return answer?.status === 200 ? read(urlOf(place), Buffer.from(answer.body as string)) : null;
}

function sketchPage(page: Page): Sketch {
  return sketchOfPage(page);
}

const sketchAt = (place: Place): Sketch => sketchPage(pageAt(place)!);

test('precision is at least 0.98 and recall 0.95 for labelled pairs with similarity 0.9 or more', (t) => {
  const near = new NearDuplicates(openDirectory(join(root, 'pairs')), 0);
  const pairs = [...plan.truth.exactDuplicates, ...plan.truth.nearDuplicates];
  for (const pair of pairs) near.add(fingerprint(urlOf(pair.original)), sketchAt(pair.original));
  let wanted = 0;
  let reported = 0;
  let right = 0;
  for (const pair of pairs) {
    const isDuplicate = pair.similarity >= 0.9;
    const found = near.find(sketchAt(pair.copy));
    if (isDuplicate) wanted++;
    if (found) reported++;
    if (isDuplicate && found?.owner === fingerprint(urlOf(pair.original))) right++;
  }
  near.close();
  const precision = right / reported;
  const recall = right / wanted;
  t.diagnostic(
    `${pairs.length} pairs: precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)} of ${wanted}`,
  );
  assert.ok(wanted >= 500);
  assert.ok(precision >= 0.98, `precision ${precision}`);
  assert.ok(recall >= 0.95, `recall ${recall}`);
});

test('no plain page is a duplicate of another', () => {
  const near = new NearDuplicates(openDirectory(join(root, 'plain')), 0);
  for (const { number, url } of plan.plainPages(80)) {
    const page = read(url as CanonicalUrl, plan.render(number, 80));
    const sketch = sketchPage(page);
    assert.equal(near.find(sketch), null, url);
    near.add(BigInt(number), sketch);
  }
  near.close();
});

test('the same article in another template is a duplicate; another article in the same template is not', () => {
  const near = new NearDuplicates(openDirectory(join(root, 'frames')), 0);
  const random = new Random(6);
  const prose = (words: number) => Array.from({ length: words }, () => `w${random.below(4000)}`).join(' ');
  const menuOf = (name: string) =>
    Array.from({ length: 80 }, (_, at) => `<li><a href="/${name}/${at}">${name} topic ${at}</a></li>`).join(
      '',
    );
  const framed = (menu: string, article: string) => {
    const html = `<title>t</title><nav><ul>${menu}</ul></nav><main><p>${article}</p></main>`;
    return sketchPage(read('http://frame.test/' as CanonicalUrl, Buffer.from(html)));
  };
  const [news, shop] = [menuOf('news'), menuOf('shop')];
  const [one, other] = [prose(150), prose(150)];
  near.add(1n, framed(news, one));
  assert.equal(near.find(framed(shop, one))?.owner, 1n);
  assert.equal(near.find(framed(news, other)), null);
  near.close();
});

test('soft 404s are recognized by the response of the host for a missing URL', () => {
  const random = new Random(2);
  for (const { host, manner, real, missing } of plan.truth.soft404) {
    const origin = `http://${host}`;
    const home = { host, path: '/' };
    const absent = { host, path: pathOf(missingUrl(origin, random)) };
    const shownAt = (place: Place) => {
      const page = pageAt(place)!;
      return { url: urlOf(place), title: page.title, sketch: sketchPage(page) };
    };
    const target = answerAt(absent)!.headers?.location;
    const probe: MissingProbe =
      manner === 'home'
        ? { kind: 'redirect', to: canonicalize(target!, origin)! }
        : probeOfPage(shownAt(absent), shownAt(home));
    for (const path of real) assert.ok(!isSoft404(probe, shownAt({ host, path })), path);
    for (const path of missing) {
      const from = { host, path };
      const isMissing =
        manner === 'home'
          ? isSoft404Redirect(probe, urlOf(from), urlOf(home))
          : isSoft404(probe, shownAt(from));
      assert.ok(isMissing, `${host}${path}`);
    }
  }
});

test('canonical links are respected if the named page has the same content', () => {
  for (const { variant, canonical, manner } of plan.truth.canonical) {
    if (manner === 'header') continue;
    const page = pageAt(variant)!;
    assert.equal(page.canonical, urlOf(canonical));
    const named = pageAt(canonical);
    const alike = named && similarity(sketchPage(page).bins, sketchPage(named).bins);
    const isPlausible =
      alike !== null && isPlausibleCanonical(urlOf(variant), urlOf(canonical), alike, false);
    assert.equal(isPlausible, manner !== 'missing' && manner !== 'unrelated', manner);
  }
});
