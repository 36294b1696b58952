import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { UsageError } from '../../base/mod.ts';
import { parseInvocation } from '../arguments.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';

function temporaryPath(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'gyre-import-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function importInto(data: string, ...files: string[]): Promise<void> {
  await importCommand.run(parseInvocation(importCommand, ['--data', data, ...files], {}));
}

async function exported(data: string, format: string, out: string): Promise<Buffer> {
  const args = ['--data', data, '--format', format, '--out', out];
  await exportCommand.run(parseInvocation(exportCommand, args, {}));
  return readFileSync(out);
}

async function pagesOf(data: string): Promise<string[]> {
  const lines = (await exported(data, 'jsonl', join(data, 'pages.jsonl'))).toString().trimEnd().split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const { url, title, text, fetchedAt } = JSON.parse(line);
      return `${url} ${title}: ${text} (${fetchedAt})`;
    });
}

function record(url: string, title: string): string {
  const block = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>${title}</title><p>about ${title}`;
  const head = [
    'WARC/1.0',
    'WARC-Type: response',
    `WARC-Target-URI: ${url}`,
    'WARC-Date: 2020-01-01T00:00:00Z',
  ];
  return `${head.join('\r\n')}\r\nContent-Length: ${block.length}\r\n\r\n${block}\r\n\r\n`;
}

const page = (name: string) => `http://example.org/${name} ${name}: about ${name} (2020-01-01T00:00:00.000Z)`;

test('files of every kind are imported, and an export imports as the same pages', async (t) => {
  const root = temporaryPath(t);
  const [plain, compressed, broken, documents] = ['a.warc', 'b.warc.gz', 'c.warc.gz', 'd.jsonl.gz'].map(
    (name) => join(root, name),
  ) as [string, string, string, string];
  const [a, b, c] = ['a', 'b', 'c'].map((name) => record(`http://example.org/${name}`, name));
  writeFileSync(plain, a!);
  writeFileSync(compressed, Buffer.concat([gzipSync(b!), gzipSync(a!)]));
  writeFileSync(broken, Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 1, 2, 3]), gzipSync(c!)]));
  const lines = '{"id":1,"title":"One","text":"first"}\nno JSON\n{"id":2,"text":"second"}\n';
  writeFileSync(documents, gzipSync(lines));
  const data = join(root, 'data');
  await importInto(data, plain, compressed, broken, documents);
  const pages = await pagesOf(data);
  assert.deepEqual(pages.slice(0, 3), ['a', 'b', 'c'].map(page));
  assert.equal(pages.length, 5);
  assert.match(pages[3]!, /^https:\/\/d\.invalid\/1 One: first /);
  for (const [format, name] of [
    ['wacz', 'all.wacz'],
    ['warc', 'all.warc.gz'],
    ['warc', 'all.warc.zst'],
  ]) {
    const out = join(root, name!);
    await exported(data, format!, out);
    const copy = join(root, `copy-of-${name}`);
    await importInto(copy, out);
    await importInto(copy, out);
    assert.deepEqual(await pagesOf(copy), pages, name);
  }
});

test('a truncated file gives its complete records, and an empty one fails the command', async (t) => {
  const root = temporaryPath(t);
  const names = ['cut.jsonl.gz', 'zip.wacz', 'empty.warc.gz', 'text.warc'];
  const [jsonl, wacz, empty, text] = names.map((name) => join(root, name)) as [
    string,
    string,
    string,
    string,
  ];
  const documents = Array.from({ length: 500 }, (_, id) => JSON.stringify({ id, text: `text ${id * 7919}` }));
  writeFileSync(jsonl, gzipSync(documents.join('\n')).subarray(0, 1500));
  writeFileSync(wacz, Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(100)]));
  writeFileSync(empty, '');
  writeFileSync(text, 'This is no WARC file.\n'.repeat(100));
  const data = join(root, 'data');
  await importInto(data, jsonl, wacz, empty, text);
  const count = (await pagesOf(data)).length;
  assert.ok(count > 50 && count < 500, `${count} documents`);
});

test('a wrong name or format is an error of one line', async (t) => {
  const root = temporaryPath(t);
  const data = join(root, 'data');
  const isUsageError = (error: unknown) => error instanceof UsageError;
  await assert.rejects(importInto(data), isUsageError);
  await assert.rejects(importInto(data, join(root, 'missing.warc')), isUsageError);
  await assert.rejects(exported(data, 'jsonl', join(root, 'out')), isUsageError);
  writeFileSync(join(root, 'a.jsonl'), '{"id":1,"text":"a"}');
  await importInto(data, join(root, 'a.jsonl'));
  await assert.rejects(exported(data, 'pdf', join(root, 'out')), isUsageError);
  await assert.rejects(exported(data, 'jsonl', join(root, 'no', 'such', 'directory')), isUsageError);
});
