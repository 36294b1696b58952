import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { Random } from '../../base/mod.ts';
import { fileOf, foreignRecord, httpResponse, parseAll, readAll } from './warc.fixture.ts';
import { httpOf, noDamage, readWarc } from './warc-reader.ts';

const url = (i: number | string) => `http://example.org/${i}`;
const record = (i: number | string, body = `<p>page ${i}</p>`) =>
  foreignRecord({ url: url(i), block: httpResponse(body) });
const responses = (...names: (number | string)[]) => names.map((name) => `response ${url(name)}`);

async function bodyOf(block: Buffer): Promise<string> {
  for await (const { record: found } of readWarc(fileOf(foreignRecord({ block })), noDamage())) {
    return httpOf(found)!.body.toString();
  }
  throw new Error('no record');
}

test('a file gives the same records if each record, the whole file or nothing is compressed', async () => {
  const records = [1, 2, 3].map((i) => record(i));
  const whole = Buffer.concat(records);
  const files = {
    plain: whole,
    'gzip per record': Buffer.concat(records.map((each) => gzipSync(each))),
    'gzip in one': gzipSync(whole),
    'zstd per record': Buffer.concat(records.map((each) => zstdCompressSync(each))),
    'zstd in one': zstdCompressSync(whole),
  };
  for (const [kind, bytes] of Object.entries(files)) {
    const { records: found, damage } = await readAll(bytes);
    assert.deepEqual(found, responses(1, 2, 3), kind);
    assert.deepEqual(damage, noDamage(), kind);
  }
});

test('a compressed stream larger than the memory limit is read incrementally', async () => {
  const records = Array.from({ length: 70 }, (_, i) => record(i, 'x'.repeat(1000)));
  for (const compress of [gzipSync, zstdCompressSync]) {
    const { records: found, damage } = await readAll(compress(Buffer.concat(records)), 10_000);
    assert.deepEqual(found, responses(...Array(70).keys()));
    assert.deepEqual(damage, noDamage());
  }
});

test('a record that is too large is skipped, and the records around it are read', async () => {
  const huge = record('huge', 'x'.repeat(50_000));
  const { records, damage } = await readAll(Buffer.concat([record(1), huge, record(2)]), 10_000);
  assert.deepEqual(records, responses(1, 2));
  assert.equal(damage.tooLarge, 1);
});

test('zstd frames are decoded with the dictionary at the start of the file', async () => {
  const dictionary = Buffer.from('WARC/1.0 WARC-Type: response Content-Type: application/http '.repeat(8));
  const frames = [1, 2].map((i) => zstdCompressSync(record(i), { dictionary }));
  const head = Buffer.alloc(8);
  head.writeUInt32LE(0x184d2a5d, 0);
  head.writeUInt32LE(dictionary.length, 4);
  const { records, damage } = await readAll(Buffer.concat([head, dictionary, ...frames]));
  assert.deepEqual(records, responses(1, 2));
  assert.deepEqual(damage, noDamage());
});

test('LF line ends, folded values and URIs in angle brackets are accepted', async () => {
  const lines = foreignRecord({ url: '<http://example.org/lf>', lineEnd: '\n', block: httpResponse('x') });
  const folded = foreignRecord({ url: url('folded'), fields: { 'WARC-Extra': 'a\r\n  b' } });
  const { records } = await readAll(Buffer.concat([lines, folded]));
  assert.deepEqual(records, responses('lf', 'folded'));
});

test('garbage between records is skipped and counted once', async () => {
  const garbage = Buffer.from('\u0000\u0001 not a record, WARC/ neither \r\n\r\n more of it');
  const { records, damage } = await readAll(Buffer.concat([record(1), garbage, record(2), record(3)]));
  assert.deepEqual(records, responses(1, 2, 3));
  assert.equal(damage.damaged, 1);
});

test('garbage between compressed records and a damaged record do not affect other records', async () => {
  const members = [1, 2, 3, 4].map((i) => gzipSync(record(i)));
  members[1]![members[1]!.length >> 1]! ^= 0xff;
  const bytes = Buffer.concat([members[0]!, members[1]!, members[2]!, Buffer.from('garbage'), members[3]!]);
  const { records, damage } = await readAll(bytes);
  assert.deepEqual(records, responses(1, 3, 4));
  assert.equal(damage.damaged, 2);
});

test('a truncated file gives every complete record', async () => {
  const whole = [gzipSync(record(1)), gzipSync(record(2))];
  const cut = Buffer.concat([whole[0]!, whole[1]!.subarray(0, -9)]);
  const compressed = await readAll(cut);
  assert.deepEqual(compressed.records, responses(1));
  assert.equal(compressed.damage.damaged, 1);
  const plain = await readAll(Buffer.concat([record(1), record(2)]).subarray(0, -20));
  assert.deepEqual(plain.records, responses(1));
  assert.equal(plain.damage.damaged, 1);
});

test('a record with a too large length is dropped, and the next record is still read', async () => {
  const wrong = foreignRecord({
    url: url('wrong'),
    block: httpResponse('short'),
    fields: { 'Content-Length': '300' },
  });
  const { records, damage } = await readAll(Buffer.concat([record(1), wrong, record(2), record(3)]));
  assert.deepEqual(records, responses(1, 2, 3));
  assert.equal(damage.damaged, 1);
});

test('a record with a false length of 2 GB is dropped alone, compressed or not', async () => {
  const liar = (length: number) =>
    foreignRecord({
      url: url('liar'),
      block: httpResponse('short'),
      fields: { 'Content-Length': String(length) },
    });
  for (const length of [2e9, 60e6, 20_000]) {
    const records = [record(1), liar(length), record(2), liar(length), record(3)];
    const files = {
      plain: Buffer.concat(records),
      gzip: Buffer.concat(records.map((each) => gzipSync(each))),
      zstd: Buffer.concat(records.map((each) => zstdCompressSync(each))),
    };
    for (const [kind, bytes] of Object.entries(files)) {
      const { records: found, damage } = await readAll(bytes, 10_000);
      assert.deepEqual(found, responses(1, 2, 3), `${kind} ${length}`);
      assert.deepEqual([damage.damaged, damage.tooLarge], [2, 0], `${kind} ${length}`);
    }
  }
});

test('a WARC record inside a large body is not read as a record', async () => {
  const forged = record('forged').toString('latin1');
  const honest = record('honest', `${'x'.repeat(30_000)}\r\n${forged}\r\n${'y'.repeat(30_000)}`);
  const { records, damage } = await readAll(Buffer.concat([record(1), honest, record(2)]), 10_000);
  assert.deepEqual(records, responses(1, 2));
  assert.equal(damage.tooLarge, 1);
});

test('a large record in many pieces is copied once', () => {
  const bytes = record('large', 'x'.repeat(400_000));
  const pieces = Array.from({ length: 4000 }, (_, i) => bytes.subarray(i * 101, (i + 1) * 101));
  const { concat } = Buffer;
  let copied = 0;
  Buffer.concat = (list, length) => {
    const joined = concat(list, length);
    copied += joined.length;
    return joined;
  };
  try {
    assert.deepEqual(parseAll(pieces).urls, [url('large')]);
  } finally {
    Buffer.concat = concat;
  }
  assert.ok(copied < 3 * bytes.length, `${copied} bytes copied for ${bytes.length}`);
});

test('a record with a missing or invalid length is dropped alone', async () => {
  const broken = ['many', '-5'].map((length) =>
    foreignRecord({ url: url('broken'), block: 'x', fields: { 'Content-Length': length } }),
  );
  const { records } = await readAll(Buffer.concat([record(1), ...broken, record(2)]));
  assert.deepEqual(records, responses(1, 2));
});

test('the records do not depend on how the stream is cut into pieces', () => {
  const bytes = Buffer.concat([record(1), Buffer.from('garbage'), record(2), record(3)]);
  for (const size of [1, 7, 64, 1000]) {
    const chunks: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
    assert.deepEqual(parseAll(chunks).urls, [1, 2, 3].map(url), `in pieces of ${size}`);
  }
});

test('damage never makes the reader throw or lose undamaged records', async () => {
  const seed = 20260102;
  const random = new Random(seed);
  for (let round = 0; round < 150; round++) {
    const members = Array.from({ length: 6 }, (_, i) => (round % 2 ? gzipSync(record(i)) : record(i)));
    const victim = 1 + Math.floor(random.next() * 4);
    const bytes = Buffer.from(members[victim]!);
    for (let hit = 0; hit < 3; hit++) bytes[Math.floor(random.next() * bytes.length)]! ^= 0x55;
    members[victim] = bytes.subarray(0, Math.floor(random.next() * bytes.length));
    const { records } = await readAll(Buffer.concat(members));
    const untouched = [0, 1, 2, 3, 4, 5].filter((i) => i < victim || i > victim + 1);
    for (const i of untouched) {
      assert.ok(records.includes(`response ${url(i)}`), `seed ${seed} round ${round}: record ${i}`);
    }
  }
});

test('bodies are returned without transfer and content codings', async () => {
  const html = '<p>grüße</p>';
  const chunked = Buffer.concat([
    Buffer.from('4;x=y\r\n<p>g\r\n'),
    Buffer.from('a\r\n'),
    Buffer.from(html).subarray(4, 14),
    Buffer.from('\r\n0\r\n\r\n'),
  ]);
  const cases: [Buffer, Record<string, string>][] = [
    [Buffer.from(html), {}],
    [chunked, { 'Transfer-Encoding': 'chunked' }],
    [gzipSync(html), { 'Content-Encoding': 'gzip' }],
    [brotliCompressSync(html), { 'Content-Encoding': 'br' }],
    // In these records, the HTTP headers declare a coding although the body has already been decoded.
    [Buffer.from(html), { 'Transfer-Encoding': 'chunked' }],
    [Buffer.from(html), { 'Content-Encoding': 'gzip' }],
  ];
  for (const [body, headers] of cases) {
    assert.equal(await bodyOf(httpResponse(body, headers)), html, JSON.stringify(headers));
  }
});

test('a block that is not an HTTP response is recognized', async () => {
  for (const block of ['', 'dns answer', 'HTTP/1.1 abc', 'GET / HTTP/1.1\r\n\r\n']) {
    for await (const { record: found } of readWarc(fileOf(foreignRecord({ block })), noDamage())) {
      assert.equal(httpOf(found), null);
    }
  }
});

test('an empty file and a file of another format have no records', async () => {
  for (const text of ['', 'x', 'hello, world\n', '\u001f\u008b\b']) {
    assert.deepEqual((await readAll(Buffer.from(text, 'latin1'))).records, []);
  }
});
