import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDirectory } from '../base/mod.ts';
import type { Page } from '../page/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import type { JournalRecord } from './journal-format.ts';
import { journalFiles, readJournal } from './journal-reader.ts';
import { JOURNAL_START, JournalWriter } from './journal-writer.ts';

test('records are read back unchanged, with any text', async (context) => {
  const root = mkdtempSync(join(tmpdir(), 'gyre-journal-'));
  context.after(() => rmSync(root, { recursive: true }));
  const directory = openDirectory(root);
  const texts = [
    '',
    'one line',
    'two\nlines with "quotes" and \\',
    '日本語 é 🎈',
    '\u0000 {"kind":"gone"}\n',
  ];
  const records = texts.flatMap((text, at): JournalRecord[] => {
    const url = `http://example.org/${at}` as CanonicalUrl;
    const page = { title: `page ${at}`, links: [], text } as unknown as Page;
    return [
      { kind: 'page', url, fetchedAt: at, digest: 'D', page },
      { kind: 'gone', url, fetchedAt: at, status: 410 },
    ];
  });
  const writer = new JournalWriter(directory, JOURNAL_START);
  for (const record of records) writer.append(record);
  await writer.flush();
  writer.rotate();
  writer.close();
  const read = journalFiles(directory).flatMap((file) => [...readJournal(directory, file)]);
  assert.deepEqual(read, records);
});
