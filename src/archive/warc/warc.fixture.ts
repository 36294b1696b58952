/** Makes archives and WARC records for tests, as Gyre and other programs write them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Directory, openDirectory, type RandomFile, sha1Base32 } from '../../base/mod.ts';
import type { Archivable, Capture } from './warc-format.ts';
import { type WarcDamage, WarcParser } from './warc-parser.ts';
import { noDamage, readWarc } from './warc-reader.ts';
import { WARC_START, type WarcMark, WarcWriter, type WarcWriterOptions } from './warc-writer.ts';

export const FETCHED_AT = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

export function temporaryDirectory(t: TestContext): Directory {
  const path = mkdtempSync(join(tmpdir(), 'gyre-archive-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return openDirectory(path);
}

export function warcWriter(directory: Directory, options: Partial<WarcWriterOptions> = {}): WarcWriter {
  const clock = { now: () => FETCHED_AT };
  return new WarcWriter({
    directory,
    mark: WARC_START,
    rotateBytes: 1e9,
    software: 'Gyre test',
    clock,
    ...options,
  });
}

/** Appends captures to an archive and makes them durable. */
export function appendBatch(writer: WarcWriter, items: readonly Archivable[]): Promise<WarcMark> {
  for (const item of items) writer.append(item);
  return writer.flush();
}

export function capture(path: string, body: string | Buffer, over: Partial<Capture> = {}): Capture {
  const payload = Buffer.from(body);
  return {
    url: `https://example.org${path}`,
    fetchedAt: FETCHED_AT,
    requestHead: `GET ${path} HTTP/1.1\r\nhost: example.org`,
    status: 200,
    statusText: 'OK',
    rawHeaders: ['Content-Type', 'text/html; charset=utf-8'],
    payload,
    payloadDigest: sha1Base32(payload),
    ipAddress: '192.0.2.1',
    duplicateOf: null,
    ...over,
  };
}

export function htmlPage(title: string, text = title): string {
  return `<!doctype html><title>${title}</title><p>${text}</p>`;
}

export interface ForeignRecord {
  type?: string;
  url?: string;
  date?: string;
  block?: string | Buffer;
  fields?: Record<string, string>;
  lineEnd?: string;
}

/** Makes a record as other programs write it: WARC/1.0, without digests. */
export function foreignRecord(record: ForeignRecord): Buffer {
  const { type = 'response', url = 'http://example.org/', block = '', lineEnd = '\r\n' } = record;
  const { date = '2020-05-06T07:08:09Z', fields = {} } = record;
  const bytes = Buffer.from(block);
  const named = {
    'WARC-Type': type,
    'WARC-Target-URI': url,
    'WARC-Date': date,
    'WARC-Record-ID': '<urn:uuid:00000000-0000-0000-0000-000000000001>',
    'Content-Type': 'application/http; msgtype=response',
    ...fields,
  };
  const lines = Object.entries(named).map(([name, value]) => `${name}: ${value}`);
  if (!('Content-Length' in fields)) lines.push(`Content-Length: ${bytes.length}`);
  const head = ['WARC/1.0', ...lines, '', ''].join(lineEnd);
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from(lineEnd.repeat(2))]);
}

export function httpResponse(body: string | Buffer, headers: Record<string, string> = {}): Buffer {
  const named = { 'Content-Type': 'text/html', ...headers };
  const lines = Object.entries(named).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`), Buffer.from(body)]);
}

export function fileOf(bytes: Buffer): RandomFile {
  return {
    name: 'test.warc',
    size: bytes.length,
    read: (position, length) => bytes.subarray(position, position + length),
    close: () => {},
  };
}

/** Returns the records of a WARC file, each as `type url`, and the damage in the file. */
export async function readAll(
  bytes: Buffer,
  maxBytes?: number,
): Promise<{ records: string[]; damage: WarcDamage }> {
  const damage = noDamage();
  const records: string[] = [];
  for await (const { record } of readWarc(fileOf(bytes), damage, maxBytes)) {
    records.push(`${record.type} ${record.targetUri}`);
  }
  return { records, damage };
}

export function parseAll(chunks: readonly Buffer[]): { urls: string[]; parser: WarcParser } {
  const parser = new WarcParser();
  const records = chunks.flatMap((chunk) => parser.push(chunk));
  records.push(...parser.end());
  return { urls: records.map(({ record }) => record.targetUri), parser };
}
