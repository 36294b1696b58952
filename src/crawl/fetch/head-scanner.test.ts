import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeadScanner } from './head-scanner.ts';

const INTERIM = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
const HEAD = '\r\nHTTP/1.1 200 OK\r\na: b\r\nHTTP/1.1 1: c\r\n\r\n';
const BODY = 'a\n\nb\n'.repeat(100);

test('header lines are counted across chunk boundaries, and lines of the body are not', () => {
  const bytes = Buffer.from(INTERIM + INTERIM + HEAD + BODY);
  for (let size = 1; size <= bytes.length; size += size < 20 ? 1 : 97) {
    const scanner = new HeadScanner();
    let lines = 0;
    for (let at = 0; at < bytes.length; at += size) lines = scanner.scan(bytes.subarray(at, at + size));
    assert.equal(lines, 3 + 3 + 5, `pieces of ${size}`);
    assert.ok(scanner.isOver);
  }
});

test('the lines of a head without an end are counted', () => {
  const scanner = new HeadScanner();
  scanner.scan(Buffer.from('HTTP/1.1 200 OK\r\n'));
  for (let count = 0; count < 10; count++) scanner.scan(Buffer.from('x:\r\n'.repeat(100)));
  assert.equal(scanner.scan(Buffer.from('')), 1001);
  assert.ok(!scanner.isOver);
  const blank = new HeadScanner();
  assert.equal(blank.scan(Buffer.from('\r\n'.repeat(500))), 500);
  assert.equal(new HeadScanner().scan(Buffer.from(INTERIM.repeat(100))), 300);
});
