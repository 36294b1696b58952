import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../test/helpers/seed.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { CorruptError } from './errors.ts';
import { Random } from './random.ts';

test('values of all kinds are read back in any order', () => {
  const seed = testSeed();
  const random = new Random(seed);
  const values = Array.from({ length: 500 }, () => Math.floor(random.next() ** 8 * Number.MAX_SAFE_INTEGER));
  const writer = new ByteWriter(1);
  for (const value of values) {
    writer.varint(value);
    writer.u32(value);
    writer.f64(value / 3);
    writer.u64(BigInt(value) * 3n);
    writer.text(`é${value}`);
  }
  const reader = new ByteReader(writer.view());
  for (const value of values) {
    assert.equal(reader.varint(), value, `seed ${seed}`);
    assert.equal(reader.u32(), value % 2 ** 32);
    assert.equal(reader.f64(), value / 3);
    assert.equal(reader.u64(), BigInt(value) * 3n);
    assert.equal(reader.text(), `é${value}`);
  }
  assert.equal(reader.remaining, 0);
});

test('a varint of 300 is AC 02', () => {
  const writer = new ByteWriter();
  writer.varint(300);
  assert.equal(writer.view().toString('hex'), 'ac02');
});

test('the error for a read past the end has the file and the offset', () => {
  const reader = new ByteReader(Buffer.from([1, 2]), 'seg-7.post');
  reader.u8();
  assert.throws(() => reader.u32(), new CorruptError('seg-7.post', 1, '4 more bytes', '1'));
});

test('a varint of more than 8 bytes is damage, and not a number that is none', () => {
  const endless = new ByteReader(Buffer.alloc(200, 0x80), 'x.bin');
  assert.throws(() => endless.varint(), {
    code: 'corrupt-file',
    message: /x\.bin at byte 8: expected a varint/,
  });
  const greatest = new ByteWriter();
  greatest.varint(Number.MAX_SAFE_INTEGER);
  assert.equal(new ByteReader(greatest.view()).varint(), Number.MAX_SAFE_INTEGER);
});
