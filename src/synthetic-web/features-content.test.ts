import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import { ask } from './ask.ts';
import { versionAt, versionWord } from './features/changing.ts';
import { jaccard } from './features/duplicates.ts';
import type { Features } from './features.ts';
import { type SyntheticWeb, startWeb } from './server.ts';

let web: SyntheticWeb;
let now = Date.UTC(2025, 5, 1);
before(async () => {
  const features: Features = {
    exactDuplicates: 25,
    nearDuplicates: true,
    wrongCharset: true,
    missingCharset: true,
    encodings: true,
    bombs: true,
    hugePages: true,
    changing: true,
    wrongTypes: true,
    brokenMarkup: true,
    icons: true,
  };
  const tuning = { bombBytes: 5_000_000, hugeBytes: 1_000_000 };
  web = await startWeb({ seed: 4, hosts: 1, pages: 1, features, tuning }, { clock: { now: () => now } });
});
after(() => web.close());

describe('duplicates', () => {
  test('that are exact have the same bytes', async () => {
    for (const { original, copy, uniqueWord } of web.plan.truth.exactDuplicates) {
      const one = await ask(web.port, original.host, original.path);
      const other = await ask(web.port, copy.host, copy.path);
      assert.ok(one.body.equals(other.body) && one.body.includes(uniqueWord));
    }
  });

  test('that are near have the similarity of the truth, from half to almost the same', async () => {
    const { nearDuplicates } = web.plan.truth;
    for (const { original, copy, similarity } of nearDuplicates) {
      const texts = await Promise.all(
        [original, copy].map(async ({ host, path }) => bodyText(await page(host, path))),
      );
      assert.ok(Math.abs(jaccard(texts[0]!, texts[1]!) - similarity) < 1e-9);
    }
    const levels = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99];
    nearDuplicates.forEach(({ similarity }, number) => {
      assert.ok(Math.abs(similarity - levels[number % levels.length]!) < 0.01, `${similarity}`);
    });
  });

  test('jaccard counts shingles of three words', () => {
    assert.equal(jaccard('a b c d', 'a b c d'), 1);
    assert.equal(jaccard('a b c d', 'A, b: c e'), 1 / 3);
    assert.equal(jaccard('a b c', 'd e f'), 0);
  });
});

describe('charsets', () => {
  test('decode to the text of the truth by the charset that the bytes are in', async () => {
    const { wrongCharset, missingCharset } = web.plan.truth;
    for (const truth of [...wrongCharset, ...missingCharset]) {
      const { headers, body } = await ask(web.port, truth.host, truth.path);
      const source = new TextDecoder(truth.encodedAs).decode(body);
      assert.ok(source.includes(`<p>${truth.text}</p>`), truth.path);
      const declared = /charset=(.+)/.exec(headers['content-type']!)?.[1] ?? null;
      assert.equal(declared, truth.headerSays);
      assert.equal(/<meta charset="(.+?)"/.exec(source)?.[1] ?? null, truth.metaSays);
      const reads = new TextDecoder(truth.standard).decode(body).includes(truth.text);
      assert.equal(reads, truth.standard === truth.encodedAs, truth.path);
    }
    assert.ok(wrongCharset.some(({ standard, encodedAs }) => standard !== encodedAs));
    assert.ok(missingCharset.every(({ headerSays }) => headerSays === null));
  });
});

describe('content codings', () => {
  const decoders = {
    gzip: gunzipSync,
    br: brotliDecompressSync,
    zstd: zstdDecompressSync,
    deflate: inflateSync,
    'deflate-raw': inflateRawSync,
    'gzip-members': gunzipSync,
    'gzip-br': (bytes: Buffer) => gunzipSync(brotliDecompressSync(bytes)),
    identity: (bytes: Buffer) => bytes,
  };

  test('decode to the page for a client that accepts them', async () => {
    const headers = { 'accept-encoding': 'gzip, br;q=1, zstd, deflate, identity' };
    for (const { host, path, kind, header, sizeBytes, uniqueWord } of web.plan.truth.encodings) {
      const reply = await ask(web.port, host, path, { headers });
      assert.equal(reply.headers['content-encoding'], header);
      assert.equal(web.log.entries().at(-1)!.contentEncoding, header);
      const decoded = decoders[kind](reply.body);
      assert.ok(decoded.length === sizeBytes && decoded.includes(uniqueWord), kind);
    }
  });

  test('are left out for a client that accepts none', async () => {
    for (const { host, path, sizeBytes } of web.plan.truth.encodings) {
      const { headers, body } = await ask(web.port, host, path);
      assert.deepEqual([headers['content-encoding'], body.length], [undefined, sizeBytes]);
    }
  });

  test('that are bombs inflate to a thousand times their size', async () => {
    const inflaters = {
      gzip: createGunzip,
      br: createBrotliDecompress,
      zstd: createZstdDecompress,
      deflate: createInflate,
    };
    for (const { host, path, header, inflatedBytes } of web.plan.truth.bombs) {
      const { body, headers } = await ask(web.port, host, path);
      assert.equal(headers['content-encoding'], header);
      assert.ok(body.length < inflatedBytes / 500, `${header} ${body.length}`);
      const inflater = inflaters[header]();
      inflater.end(body);
      let inflated = 0;
      for await (const chunk of inflater) inflated += chunk.length;
      assert.equal(inflated, inflatedBytes);
    }
  });
});

test('huge pages are as large as the truth says and hold a word at each end', async () => {
  for (const { host, path, sizeBytes, uniqueWord, lastWord } of web.plan.truth.hugePages) {
    const { body } = await ask(web.port, host, path);
    assert.equal(body.length, sizeBytes);
    assert.ok(body.subarray(0, 1000).includes(uniqueWord) && body.subarray(-1000).includes(lastWord));
  }
});

describe('changing pages', () => {
  test('change when their period is over and not before', async () => {
    for (const truth of web.plan.truth.changing) {
      const { host, path, periodMs, phaseMs } = truth;
      if (periodMs === null) continue;
      const version = versionAt(truth, now);
      const changesAt = (version + 1) * periodMs - phaseMs;
      for (const [at, word] of [
        [changesAt - 1, version],
        [changesAt, version + 1],
      ] as const) {
        now = at;
        assert.ok((await page(host, path)).includes(versionWord(truth, word)));
      }
    }
  });

  test('answer 304 to their validators until they change', async () => {
    for (const truth of web.plan.truth.changing) {
      const { host, path, kind, periodMs } = truth;
      const { headers, body } = await ask(web.port, host, path);
      assert.equal(headers.etag !== undefined, kind === 'content' || kind === 'never');
      if (headers.etag === undefined) continue;
      const byTag = { 'if-none-match': headers.etag };
      const byDate = { 'if-modified-since': headers['last-modified']! };
      for (const conditions of [byTag, byDate]) {
        assert.equal((await ask(web.port, host, path, { headers: conditions })).status, 304);
      }
      now += periodMs ?? 1e9;
      const later = await ask(web.port, host, path, { headers: byTag });
      assert.equal(later.status, periodMs === null ? 304 : 200);
      if (periodMs !== null) assert.ok(!later.body.equals(body));
    }
  });

  test('that are cosmetic change their bytes and keep their text', async () => {
    const { host, path } = web.plan.truth.changing.find(({ kind }) => kind === 'cosmetic')!;
    const [one, other] = [await page(host, path), await page(host, path)];
    assert.notEqual(one, other);
    assert.equal(bodyText(one), bodyText(other));
  });
});

describe('bodies that are not what they seem', () => {
  test('have the declared type and the actual content', async () => {
    for (const { host, path, declared, actual, uniqueWord } of web.plan.truth.wrongTypes) {
      const { headers, body } = await ask(web.port, host, path);
      assert.equal(headers['content-type'] ?? null, declared);
      assert.equal(body.includes(uniqueWord), actual !== 'junk');
      assert.equal(body.includes('<title>'), actual === 'html');
    }
  });

  test('with broken markup have the words and links of the truth', async () => {
    const { brokenMarkup } = web.plan.truth;
    assert.equal(new Set(brokenMarkup.map(({ kind }) => kind)).size, 12);
    for (const { host, path, kind, uniqueWord, hiddenWord, links, notLinks } of brokenMarkup) {
      const source = await page(host, path);
      assert.ok(source.includes(uniqueWord.slice(1)) && source.includes(hiddenWord), kind);
      for (const link of links) assert.equal((await ask(web.port, host, link)).status, 200);
      for (const address of notLinks) assert.ok(source.includes(address));
    }
  });
});

async function page(host: string, path: string): Promise<string> {
  return (await ask(web.port, host, path)).body.toString();
}

function bodyText(source: string): string {
  return source.slice(source.indexOf('<body>')).replace(/<[^>]+>/g, ' ');
}

test('the icon of a site is what was asked for last, or in its page, or none', async () => {
  for (const { host, kind, asked, picture } of web.plan.truth.icons) {
    const last = asked.at(-1) ?? { host, path: '/' };
    const { body } = await ask(web.port, last.host, last.path, { maxBytes: 1000 });
    const found = asked.length === 0 ? body.toString() : body.toString('base64');
    if (picture !== null) assert.ok(found.includes(picture), kind);
    else assert.ok(!body.toString('latin1').startsWith('\x89PNG'), kind);
  }
});
