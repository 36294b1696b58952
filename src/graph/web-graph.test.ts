import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Directory, Random, silentLog } from '../base/mod.ts';
import { JOURNAL_START, type JournalRecord, JournalWriter, type PageRecord } from '../journal/mod.ts';
import type { Link } from '../page/mod.ts';
import { type CanonicalUrl, canonicalize, fingerprint } from '../url/mod.ts';
import { openAnchors } from './anchors/anchors-reader.ts';
import { linkingPage, temporaryDirectory } from './graph.fixture.ts';
import { openHosts } from './hosts/hosts-file.ts';
import { openLinks } from './links-reader.ts';
import { type RankOptions, type RankReport, rankPages } from './rank-pages.ts';
import { openRanks } from './ranks-reader.ts';
import { GraphFile } from './tiles/tiles-reader.ts';

interface Said {
  to: string;
  says?: string;
}

function at(address: string): CanonicalUrl {
  return canonicalize(`https://${address}`)!;
}

function page(address: string, links: (string | Said)[], canonical?: string): PageRecord {
  const linkOf = (link: string | Said): Link =>
    typeof link === 'string'
      ? { url: at(link), text: '', nofollow: false }
      : { url: at(link.to), text: link.says ?? '', nofollow: false };
  return linkingPage(
    at(address),
    links.map(linkOf),
    canonical === undefined ? {} : { canonical: at(canonical) },
  );
}

function alias(address: string, of: string, reason: 'redirect' | 'duplicate' = 'duplicate'): JournalRecord {
  return { kind: 'alias', url: at(address), fetchedAt: 0, of: at(of), reason };
}

/** Writes one finished journal file for each list of records. */
async function write(journal: Directory, ...files: JournalRecord[][]): Promise<void> {
  const writer = new JournalWriter(journal, { ...JOURNAL_START, file: journal.list().length + 1 });
  for (const records of files) {
    for (const record of records) writer.append(record);
    await writer.flush();
    writer.rotate();
  }
  writer.close();
}

function rank(root: Directory, options: Partial<RankOptions> = {}): RankReport {
  const [journal, output] = [root.directory('journal'), root.directory('graph')];
  return rankPages({ journal, output, log: silentLog, ...options });
}

function rankOf(root: Directory, address: string): number {
  return openRanks(root.directory('graph'))!.rankOf(fingerprint(at(address)));
}

function sourcesOf(root: Directory, address: string): string[] {
  const links = openLinks(root.directory('graph'))!;
  const sources = links.linksTo(at(address)).map(({ url }) => url.slice('https://'.length));
  links.close();
  return sources.sort();
}

test('every alias of a document leads to its URL', async (context) => {
  const root = temporaryDirectory(context);
  await write(root.directory('journal'), [
    page('a.example/', ['b.example/']),
    alias('old.example/', 'a.example/'),
  ]);
  rank(root);
  const links = openLinks(root.directory('graph'))!;
  const documentOf = (address: string) => links.documentOf(at(address));
  assert.equal(documentOf('old.example/'), at('a.example/'));
  assert.equal(documentOf('a.example/'), at('a.example/'));
  assert.equal(documentOf('b.example/'), at('b.example/'));
  assert.equal(documentOf('c.example/'), null);
  links.close();
});

test('many journal files ranked in steps give the ranks of one file with all records', async (context) => {
  const random = new Random(3);
  const names = Array.from({ length: 40 }, (_, i) => `host${i % 7}.example/page${i}`);
  const files = Array.from({ length: 70 }, () =>
    Array.from({ length: 5 }, () =>
      random.chance(0.15)
        ? alias(random.pick(names), random.pick(names))
        : page(random.pick(names), [
            random.pick(names),
            random.pick(names),
            `other${random.below(9)}.example/`,
          ]),
    ),
  );
  const [stepwise, whole] = [temporaryDirectory(context), temporaryDirectory(context)];
  for (let from = 0; from < files.length; from += 23) {
    await write(stepwise.directory('journal'), ...files.slice(from, from + 23));
    rank(stepwise);
  }
  await write(whole.directory('journal'), files.flat());
  const expected = rank(whole);
  const { nodeCount, linkCount, pageCount } = rank(stepwise);
  assert.deepEqual(
    [nodeCount, linkCount, pageCount],
    [expected.nodeCount, expected.linkCount, expected.pageCount],
  );
  for (const name of names) assert.ok(Math.abs(rankOf(stepwise, name) - rankOf(whole, name)) < 1e-6, name);
  const runs = stepwise
    .directory('graph')
    .list()
    .filter((name) => name.startsWith('run-'));
  assert.deepEqual(runs[0], 'run-main-00000001-00000064.links');
  assert.equal(runs.length, 7);
});

test('a journal file that is in a run is not read again, and ranks start from the last ones', async (context) => {
  const root = temporaryDirectory(context);
  const journal = root.directory('journal');
  const circle = Array.from({ length: 50 }, (_, i) =>
    page(`h${i}.example/`, [`h${(i * 7 + 1) % 50}.example/`]),
  );
  await write(journal, [...circle, page('a.example/', ['b.example/', 'h0.example/'])]);
  const first = rank(root);
  assert.ok(first.iterations > 5, `${first.iterations}`);
  assert.ok(rank(root).iterations <= 2, 'nothing is new');
  journal.replace(journal.list()[0]!, Buffer.from('no longer a journal'));
  await write(journal, [page('b.example/', ['c.example/'])]);
  const second = rank(root);
  assert.deepEqual([second.linkCount, second.pageCount], [first.linkCount + 1, first.pageCount + 1]);
  assert.deepEqual(sourcesOf(root, 'b.example/'), ['a.example/']);
  assert.deepEqual(sourcesOf(root, 'c.example/'), ['b.example/']);
  assert.throws(() => rank(root, { afresh: true }), { code: 'damaged-journal' });
});

test('runs of an older journal are discarded after a rebuild', async (context) => {
  const root = temporaryDirectory(context);
  await write(
    root.directory('journal'),
    [page('old.example/', ['gone.example/'])],
    [page('old.example/2', [])],
  );
  rank(root);
  const journal = root.directory('journal');
  for (const name of journal.list()) journal.remove(name);
  journal.replace('generation.json', Buffer.from('{"format":1,"first":2,"hiddenFrom":null}'));
  await write(journal, [page('new.example/', [])]);
  assert.equal(rank(root).nodeCount, 1);
  assert.equal(rankOf(root, 'old.example/'), 0);
});

test('links to any alias count for the document, and its own links count once', async (context) => {
  const root = temporaryDirectory(context);
  await write(root.directory('journal'), [
    page('a.example/', ['doc.example/?print=1', 'copy.example/doc', 'doc.example/']),
    page('b.example/', ['copy.example/doc']),
    page('doc.example/', ['x.example/']),
    page('doc.example/?print=1', ['x.example/', 'y.example/'], 'doc.example/'),
    alias('copy.example/doc', 'doc.example/?print=1'),
  ]);
  const report = rank(root);
  assert.deepEqual([report.nodeCount, report.linkCount, report.pageCount], [4, 3, 3]);
  assert.equal(rankOf(root, 'copy.example/doc'), rankOf(root, 'doc.example/'));
  assert.equal(rankOf(root, 'doc.example/?print=1'), rankOf(root, 'doc.example/'));
  assert.equal(rankOf(root, 'y.example/'), 0);
  assert.deepEqual(sourcesOf(root, 'copy.example/doc'), ['a.example/', 'b.example/']);
});

test('a redirect to a copy with a canonical link leads to the canonical page', async (context) => {
  const root = temporaryDirectory(context);
  await write(root.directory('journal'), [
    page('a.example/', ['short.example/x', { to: 'doc.example/copy', says: 'the copy' }]),
    page('b.example/', [{ to: 'short.example/x', says: 'the short one' }]),
    alias('short.example/x', 'doc.example/copy', 'redirect'),
    alias('doc.example/copy', 'doc.example/variant'),
    page('doc.example/variant', ['c.example/', 'doc.example/'], 'doc.example/'),
    page('doc.example/', ['c.example/', 'short.example/x']),
  ]);
  const report = rank(root);
  assert.deepEqual([report.nodeCount, report.linkCount], [4, 3], 'a, b, c and the document; its links once');
  for (const name of ['short.example/x', 'doc.example/copy', 'doc.example/variant'])
    assert.equal(rankOf(root, name), rankOf(root, 'doc.example/'), name);
  assert.deepEqual(sourcesOf(root, 'short.example/x'), ['a.example/', 'b.example/']);
  const anchors = openAnchors(root.directory('graph'))!;
  const texts = anchors.textsOf(fingerprint(at('doc.example/'))).map(({ text }) => text);
  assert.deepEqual(texts.sort(), ['the copy', 'the short one']);
  anchors.close();
});

test('a page represents its canonical URL if that was not fetched', async (context) => {
  const root = temporaryDirectory(context);
  await write(root.directory('journal'), [
    page('shop.example/lamp?ref=1', ['maker.example/'], 'shop.example/lamp'),
    page('shop.example/lamp?ref=2', ['maker.example/', 'other.example/'], 'shop.example/lamp'),
  ]);
  const report = rank(root);
  assert.deepEqual([report.nodeCount, report.linkCount, report.pageCount], [2, 1, 1]);
  assert.deepEqual(sourcesOf(root, 'maker.example/'), ['shop.example/lamp?ref=1'], 'as it is indexed');
});

test('a page cannot take the rank of another domain by naming it as its canonical form', async (context) => {
  const root = temporaryDirectory(context);
  await write(root.directory('journal'), [
    page('a.example/', ['famous.example/']),
    page('b.example/', ['famous.example/']),
    page('famous.example/', []),
    page('thief.example/', [], 'famous.example/'),
  ]);
  rank(root);
  assert.ok(rankOf(root, 'thief.example/') < rankOf(root, 'famous.example/') / 2);
});

test('links within a site and links on all its pages count for less than others', async (context) => {
  const root = temporaryDirectory(context);
  const site = Array.from({ length: 10 }, (_, i) =>
    page(`site.example/${i}`, ['footer.example/', 'site.example/home']),
  );
  site[0]!.page.links.push({ url: at('said.example/'), text: '', nofollow: false });
  await write(root.directory('journal'), [
    ...site,
    page('mixed.example/', ['www.mixed.example/', 'else.example/']),
  ]);
  rank(root);
  const average = 1 / openRanks(root.directory('graph'))!.count;
  assert.ok(rankOf(root, 'else.example/') > rankOf(root, 'www.mixed.example/') + average / 10);
  assert.ok(rankOf(root, 'said.example/') > average);
});

test('seeds raise their own rank and that of the pages they link to', async (context) => {
  const root = temporaryDirectory(context);
  await write(root.directory('journal'), [
    page('health.example/', ['clinic.example/']),
    page('cars.example/', ['garage.example/']),
    page('cars.example/2', ['garage.example/']),
  ]);
  rank(root);
  assert.ok(rankOf(root, 'garage.example/') > rankOf(root, 'clinic.example/'));
  rank(root, { seeds: ['health.example'] });
  const message = /hosts: nowhere\.example, https:\/\/health\.example\/no;/;
  const files = root.directory('graph').list();
  const seeds = ['health.example', 'nowhere.example', 'https://health.example/no'];
  assert.throws(() => rank(root, { seeds }), { code: 'unknown-seeds', message });
  assert.throws(() => rank(root, { trusted: ['health.example', 'no host'] }), { message: /hosts: no host;/ });
  assert.deepEqual(root.directory('graph').list(), files, 'a refused run leaves nothing behind');
  assert.ok(rankOf(root, 'clinic.example/') > 0.4);
  assert.equal(rankOf(root, 'garage.example/'), 0);
});

test('seeds and trusted hosts can be given by any alias', async (context) => {
  const root = temporaryDirectory(context);
  await write(root.directory('journal'), [
    page('health.example/', ['clinic.example/']),
    page('cars.example/', ['garage.example/']),
    alias('health.example/old', 'health.example/', 'redirect'),
    alias('copy.example/', 'health.example/'),
    page('www.health.example/lamp?ref=1', ['clinic.example/'], 'www.health.example/lamp'),
  ]);
  const names = ['https://health.example', 'HEALTH.example', 'health.example:8080', 'copy.example'];
  const urls = [
    'https://health.example/old',
    'https://copy.example/',
    'https://WWW.health.example/lamp?ref=1',
  ];
  for (const name of [...names, ...urls]) {
    rank(root, { seeds: [name], trusted: [name] });
    assert.ok(rankOf(root, 'clinic.example/') > 0.4, name);
    assert.equal(rankOf(root, 'garage.example/'), 0, name);
    const hosts = new Map(openHosts(root.directory('graph'))!.entries());
    assert.equal(hosts.get('cars.example')!.trust, 0, name);
  }
});

test('an anchor text has one vote per host, weighed by the host, over all aliases of a document', async (context) => {
  const root = temporaryDirectory(context);
  const doc = 'doc.example/';
  await write(root.directory('journal'), [
    ...Array.from({ length: 5 }, (_, i) => page(`loud.example/${i}`, [{ to: doc, says: 'buy now' }])),
    page('a.example/', [
      { to: doc, says: 'the manual' },
      { to: doc, says: 'manual' },
    ]),
    page('b.example/', [{ to: 'doc.example/index', says: 'the manual' }, { to: doc }]),
    page(doc, [{ to: doc, says: 'to the top' }]),
    page('doc.example/more', [{ to: doc, says: 'home' }]),
    alias('doc.example/index', doc),
  ]);
  assert.equal(rank(root).anchoredCount, 1);
  const anchors = openAnchors(root.directory('graph'))!;
  const texts = anchors.textsOf(fingerprint(at(doc)));
  assert.deepEqual(
    texts.map(({ text }) => text),
    ['the manual', 'buy now', 'manual', 'home'],
  );
  const weightOf = (text: string) => texts.find((each) => each.text === text)!.weight;
  assert.ok(Math.abs(weightOf('the manual') - 2 * weightOf('manual')) < 1e-5);
  assert.ok(weightOf('home') < weightOf('manual'));
  assert.deepEqual(anchors.textsOf(fingerprint(at('a.example/'))), []);
  assert.deepEqual([...anchors.entries()], [{ fingerprint: fingerprint(at(doc)), texts }]);
  anchors.close();
});

test('pages that represent documents of other hosts have no further votes and no templates', async (context) => {
  const root = temporaryDirectory(context);
  const said = ['doc.example/', 'footer.example/'].map((to) => ({ to, says: 'Buy Now' }));
  const canonicalOf = (i: number) => `${i % 2 === 0 ? 'even' : 'odd'}.loud.example/${i}`;
  await write(root.directory('journal'), [
    ...Array.from({ length: 40 }, (_, i) => page(`www.loud.example/${10 + i}`, said, canonicalOf(i))),
    page('odd.loud.example/own', [{ to: 'doc.example/', says: 'buy now' }]),
    page('a.example/', [{ to: 'doc.example/', says: 'the manual' }]),
    page('b.example/', [{ to: 'doc.example/', says: 'the manual' }]),
    page('c.example/', [{ to: 'doc.example/', says: 'the manual' }, 'plain.example/']),
  ]);
  rank(root);
  const anchors = openAnchors(root.directory('graph'))!;
  const texts = anchors.textsOf(fingerprint(at('doc.example/')));
  anchors.close();
  assert.deepEqual(
    texts.map(({ text }) => text.toLowerCase()),
    ['the manual', 'buy now'],
    'three votes against two',
  );
  const graph = new GraphFile(root.directory('graph'), 'links-00000001.graph');
  const kinds = new Set<number>();
  const node = openRanks(root.directory('graph'))!.nodeOf(fingerprint(at('footer.example/')));
  graph.forEachEdge((_, target, kind) => target === node && kinds.add(kind));
  graph.close();
  assert.deepEqual([...kinds], [2], 'a footer on forty pages');
});

test('the texts of one host do not displace those of other hosts', async (context) => {
  const root = temporaryDirectory(context);
  const doc = 'doc.example/';
  const praise = Array.from({ length: 60 }, (_, i) => ({ to: doc, says: `praise ${i}` }));
  await write(root.directory('journal'), [
    page('loud.example/', [...praise, { to: doc, says: 'Praise 7' }]),
    ...['a', 'b', 'c'].map((host) => page(`${host}.example/`, [{ to: doc, says: `what ${host} says` }])),
    ...Array.from({ length: 9 }, (_, i) => page(`fan${i}.example/`, ['loud.example/'])),
  ]);
  rank(root);
  const anchors = openAnchors(root.directory('graph'))!;
  const texts = anchors.textsOf(fingerprint(at(doc)));
  anchors.close();
  assert.equal(texts.length, 32, 'places that nobody else wants are taken');
  for (const host of ['a', 'b', 'c'])
    assert.ok(
      texts.some(({ text }) => text === `what ${host} says`),
      host,
    );
  const weights = texts.filter(({ text }) => text.startsWith('praise')).map(({ weight }) => weight);
  assert.equal(new Set(weights).size, 1, 'capitals are no second vote');
});

test('the best texts are kept, and the next rank run uses the newest pages', async (context) => {
  const root = temporaryDirectory(context);
  const doc = 'doc.example/';
  const fans = Array.from({ length: 50 }, (_, i) => `fan${i}.example/`);
  await write(root.directory('journal'), [
    ...fans.map((fan, i) =>
      page(fan, [
        { to: doc, says: `text ${i}` },
        { to: doc, says: 'well known' },
      ]),
    ),
    page('a.example/', [{ to: doc, says: 'old' }, ...fans]),
  ]);
  const textsOf = () => {
    rank(root);
    const anchors = openAnchors(root.directory('graph'))!;
    const texts = anchors.textsOf(fingerprint(at(doc)));
    anchors.close();
    return texts;
  };
  const before = textsOf();
  assert.equal(before.length, 32);
  assert.equal(before[0]!.text, 'well known', 'fifty votes');
  await write(
    root.directory('journal'),
    fans.map((fan) => page(fan, [{ to: doc, says: 'new' }])),
  );
  assert.deepEqual(
    textsOf().map(({ text }) => text),
    ['new', 'old'],
  );
});

test('a flipped byte in an anchor file is an error when its entry is read', async (context) => {
  const root = temporaryDirectory(context);
  const graph = root.directory('graph');
  const doc = 'doc.example/';
  await write(root.directory('journal'), [
    page(doc, []),
    page('a.example/', [{ to: doc, says: 'a document' }]),
  ]);
  rank(root);
  const name = 'anchors-00000001.anchors';
  const whole = graph.read(name);
  for (const place of [8, 10, 12, 16, 24, whole.length - 20, whole.length - 2]) {
    const flipped = Buffer.from(whole);
    flipped[place]! ^= 2;
    graph.replace(name, flipped);
    const read = () => {
      const anchors = openAnchors(graph)!;
      try {
        return anchors.textsOf(fingerprint(at(doc)));
      } finally {
        anchors.close();
      }
    };
    assert.throws(read, /^CorruptError: anchors-00000001\.anchors at byte/, `byte ${place}`);
  }
});

test('anchor texts of an unfetched canonical URL count for the page that represents it', async (context) => {
  const root = temporaryDirectory(context);
  await write(root.directory('journal'), [
    page('shop.example/lamp?ref=1', [], 'shop.example/lamp'),
    page('shop.example/lamp?ref=2', [], 'shop.example/lamp'),
    page('a.example/', [
      { to: 'shop.example/lamp', says: 'the lamp' },
      { to: 'nowhere.example/', says: 'not crawled' },
    ]),
  ]);
  assert.equal(rank(root).anchoredCount, 2);
  const anchors = openAnchors(root.directory('graph'))!;
  const said = (url: string) => anchors.textsOf(fingerprint(at(url))).map(({ text }) => text);
  assert.deepEqual(said('shop.example/lamp?ref=1'), ['the lamp']);
  assert.deepEqual(said('shop.example/lamp?ref=2'), []);
  assert.deepEqual(said('nowhere.example/'), ['not crawled']);
  anchors.close();
});

test('hosts that only link to each other are a farm, and a well-known host is not', async (context) => {
  const root = temporaryDirectory(context);
  const farm = Array.from({ length: 6 }, (_, i) => `farm${i}.example/`);
  const fans = Array.from({ length: 6 }, (_, i) => `fan${i}.example/`);
  await write(root.directory('journal'), [
    ...farm.map((member) =>
      page(
        member,
        farm.flatMap((other) => (other === member ? [] : [{ to: other, says: 'the best' }])),
      ),
    ),
    ...fans.map((fan) => page(fan, [{ to: 'known.example/', says: 'well known' }])),
    ...Array.from({ length: 4 }, (_, i) => page(`s${i}.owner.example/`, ['pet.example/'])),
    page('known.example/', ['fan0.example/']),
  ]);
  assert.throws(() => rank(root, { trusted: ['nowhere.example'] }), { code: 'unknown-hosts' });
  rank(root, { trusted: ['known.example'] });
  const hosts = new Map(openHosts(root.directory('graph'))!.entries());
  assert.equal(hosts.get('farm0.example')!.farm, 1);
  assert.equal(hosts.get('farm0.example')!.reciprocity, 1);
  assert.equal(hosts.get('farm0.example')!.trust, 0);
  assert.equal(hosts.get('known.example')!.farm, 0);
  assert.equal(hosts.get('known.example')!.inDomains, 6);
  assert.ok(hosts.get('known.example')!.trust > 1);
  const pet = hosts.get('pet.example')!;
  assert.deepEqual([pet.inHosts, pet.inDomains, pet.concentration], [4, 1, 1]);
  const anchors = openAnchors(root.directory('graph'))!;
  const saidOf = (url: string) => anchors.textsOf(fingerprint(at(url)));
  assert.deepEqual(saidOf('farm0.example/'), [{ text: 'the best', weight: 0 }]);
  assert.ok(saidOf('known.example/')[0]!.weight > 3, 'six votes');
  anchors.close();
});
