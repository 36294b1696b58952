import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMultipart } from './form-body.ts';

const TYPE = 'multipart/form-data; boundary=----x1';

function body(...parts: string[]): Buffer {
  return Buffer.from(`${parts.map((part) => `------x1\r\n${part}\r\n`).join('')}------x1--\r\n`);
}

test('fields and the content of a file are read as text', () => {
  const fields = parseMultipart(
    body(
      'Content-Disposition: form-data; name="note"\r\n\r\nhello',
      'Content-Disposition: form-data; name="file"; filename="rules.txt"\r\nContent-Type: text/plain\r\n\r\nblock ü.example\r\n\r\n--\r\n',
    ),
    TYPE,
  );
  assert.deepEqual(fields, { note: 'hello', file: 'block ü.example\r\n\r\n--\r\n' });
});

test('a broken body gives the fields before the error, or none', () => {
  assert.deepEqual(parseMultipart(Buffer.from('nonsense'), TYPE), {});
  assert.deepEqual(
    parseMultipart(body('Content-Disposition: form-data; name="a"\r\n\r\n1'), 'multipart/form-data'),
    {},
  );
  assert.deepEqual(
    parseMultipart(Buffer.from('------x1\r\nContent-Disposition: form-data; name="a"'), TYPE),
    {},
  );
  const many = body(
    ...Array.from({ length: 100 }, (_, at) => `Content-Disposition: form-data; name="f${at}"\r\n\r\n1`),
  );
  assert.equal(Object.keys(parseMultipart(many, TYPE)).length, 20);
});
