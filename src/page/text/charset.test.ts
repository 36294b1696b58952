import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declaredCharset, toUtf8 } from './charset.ts';

const WINDOWS_1252_CAFE = Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x93);

function read(body: Uint8Array, label = ''): string {
  return toUtf8(body, label, declaredCharset).toString();
}

test('bytes without a declaration are UTF-8 if valid, otherwise windows-1252', () => {
  assert.equal(read(Buffer.from('café “')), 'café “');
  assert.equal(read(WINDOWS_1252_CAFE), 'café“');
});

test('the header overrides the page, and a byte order mark overrides both', () => {
  const page = Buffer.from('<meta charset=utf-8>é');
  assert.equal(read(page, 'iso-8859-1'), '<meta charset=utf-8>Ã©');
  assert.equal(
    read(Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), page]), 'iso-8859-1'),
    '<meta charset=utf-8>é',
  );
  assert.equal(read(Buffer.from('\ufeffgrüß', 'utf16le'), 'utf-8'), 'grüß');
  assert.equal(read(Buffer.from('\ufeffgrüß', 'utf16le').swap16(), 'utf-8'), 'grüß');
});

test('legacy encodings are decoded', () => {
  const cases: [string, number[], string][] = [
    ['koi8-r', [0xcd, 0xc9, 0xd2], 'мир'],
    ['Shift_JIS', [0x93, 0xfa, 0x96, 0x7b], '日本'],
    ['gb2312', [0xd6, 0xd0], '中'],
    ['big5', [0xa4, 0xa4], '中'],
    ['euc-kr', [0xc7, 0xd1], '한'],
    ['iso-8859-2', [0xe8], 'č'],
    ['windows-1251', [0xec], 'м'],
  ];
  for (const [label, bytes, text] of cases) assert.equal(read(Uint8Array.from(bytes), label), text, label);
});

test('all forms of an encoding declaration are recognized', () => {
  const cases = [
    '<meta charset=koi8-r>',
    '<META CHARSET = "koi8-r" />',
    "<meta http-equiv='Content-Type' content='text/html; charset=koi8-r'>",
    '<meta content="text/html;charset=koi8-r" http-equiv=content-type>',
    '<!-- <meta charset=big5> --><head><meta name=a><meta/charset="koi8-r">',
    '<?xml version="1.0" encoding="koi8-r"?>',
  ];
  for (const opening of cases) assert.equal(declaredCharset(opening), 'koi8-r', opening);
});

test('text that only looks like a declaration is ignored', () => {
  for (const opening of [
    '<p charset=koi8-r>',
    '<!-- <meta charset=koi8-r>',
    '<meta name="mycharset=x">',
    'charset=koi8-r',
  ]) {
    assert.equal(declaredCharset(opening), '', opening);
  }
});

test('a declaration after the first 1024 bytes is not seen', () => {
  const late = Buffer.from(`${' '.repeat(1024)}<meta charset=windows-1252>é`);
  assert.equal(read(late).trimStart(), '<meta charset=windows-1252>é');
});

test('an unknown encoding label is ignored', () => {
  assert.equal(read(Buffer.from('<meta charset=klingon>é'), 'x-nothing'), '<meta charset=klingon>é');
  assert.equal(read(WINDOWS_1252_CAFE, 'none'), 'café“');
});

test('an ASCII page that declares UTF-16 is not decoded as UTF-16', () => {
  assert.equal(read(Buffer.from('<meta charset=utf-16>é')), '<meta charset=utf-16>é');
});

test('invalid bytes become U+FFFD', () => {
  assert.equal(read(Uint8Array.of(0x61, 0xff, 0x62), 'utf-8'), 'a\ufffdb');
  assert.equal(read(Uint8Array.of(), 'utf-8'), '');
});
