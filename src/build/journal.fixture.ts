/** Test helpers: journals with random records, and a directory whose writes fail. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type AppendFile, type Directory, openDirectory, type Random, silentLog } from '../base/mod.ts';
import { IndexReader } from '../index/mod.ts';
import { JOURNAL_START, type JournalRecord, JournalWriter, type PageRecord } from '../journal/mod.ts';
import { type CanonicalUrl, canonicalize } from '../url/mod.ts';

export function temporaryDirectory(t: TestContext): Directory {
  const path = mkdtempSync(join(tmpdir(), 'gyre-build-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return openDirectory(path);
}

export function urlOf(name: string): CanonicalUrl {
  return canonicalize(`https://example.org/${name}`)!;
}

export function pageRecord(name: string, text: string, page: Partial<PageRecord['page']> = {}): PageRecord {
  const robots = { index: true, follow: true, archive: true, snippet: true };
  const rest = { description: '', language: 'en', marks: [], links: [], canonical: null, robots };
  return {
    kind: 'page',
    url: urlOf(name),
    fetchedAt: 1_700_000_000_000,
    digest: '',
    page: { contentType: 'text/html', title: name, text, ...rest, ...page },
  };
}

export function goneRecord(name: string): JournalRecord {
  return { kind: 'gone', url: urlOf(name), fetchedAt: 1_700_000_000_000, status: 410 };
}

export function aliasRecord(name: string, of: string): JournalRecord {
  const reason = 'redirect' as const;
  return { kind: 'alias', url: urlOf(name), fetchedAt: 1_700_000_000_000, of: urlOf(of), reason };
}

/**
 * Returns a random journal record that adds or removes the page of one of forty URLs. Updates `expected`, the
 * text of each live page, accordingly.
 */
export function randomRecord(random: Random, expected: Map<string, string>): JournalRecord {
  const name = `page${random.below(40)}`;
  if (random.chance(0.2)) {
    expected.delete(name);
    return random.chance(0.5) ? goneRecord(name) : aliasRecord(name, 'elsewhere');
  }
  const text = `version ${random.below(1e6)}`;
  expected.set(name, text);
  return pageRecord(name, text);
}

/** Appends a finished journal file for each list of records. */
export async function writeJournal(
  directory: Directory,
  files: readonly (readonly JournalRecord[])[],
): Promise<void> {
  const file = directory.list().length + 1;
  const writer = new JournalWriter(directory, { ...JOURNAL_START, file });
  for (const records of files) {
    for (const record of records) writer.append(record);
    await writer.flush();
    writer.rotate();
  }
  writer.close();
}

/** Returns the live documents as `name: text`, sorted. A document that is indexed twice is listed twice. */
export function liveTexts(index: Directory): string[] {
  const reader = new IndexReader(index, silentLog);
  const texts: string[] = [];
  for (const segment of reader.segments) {
    for (let doc = 0; doc < segment.reader.docCount; doc++) {
      const { url, text } = segment.reader.document(doc);
      if (!segment.deletes.has(doc)) texts.push(`${url.slice('https://example.org/'.length)}: ${text}`);
    }
  }
  reader.close();
  return texts.sort();
}

/**
 * Wraps a directory so that change number `failAt` and all later changes fail, as if the disk were full or the
 * process were killed.
 */
export function failing(directory: Directory, failAt: number): Directory {
  let count = 0;
  const change = () => {
    if (++count >= failAt) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  };
  const changes: Partial<Directory> = {
    replace(name, bytes) {
      change();
      directory.replace(name, bytes);
    },
    append(name, keepBytes) {
      change();
      return failingFile(directory.append(name, keepBytes), change);
    },
    rename(from, to) {
      change();
      directory.rename(from, to);
    },
    remove(name) {
      change();
      directory.remove(name);
    },
  };
  return Object.assign(Object.create(directory), changes);
}

function failingFile(file: AppendFile, change: () => void): AppendFile {
  return {
    get length() {
      return file.length;
    },
    write(bytes) {
      file.write(bytes.subarray(0, bytes.length >> 1));
      change();
      file.write(bytes.subarray(bytes.length >> 1));
    },
    async sync() {
      change();
      await file.sync();
    },
    close: () => file.close(),
  };
}
