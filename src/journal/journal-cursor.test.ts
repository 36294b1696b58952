import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryDirectory } from '../../test/helpers/gyre.ts';
import { openDirectory } from '../base/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import { cursorAfter, positionOfCursor } from './journal-cursor.ts';
import type { GoneRecord } from './journal-format.ts';
import {
  beginGeneration,
  completeGeneration,
  firstHidden,
  isRead,
  journalName,
} from './journal-generation.ts';
import { journalFiles } from './journal-reader.ts';
import { encodeFrames, encodeJournalFile, encodeRecord } from './journal-writer.ts';
import { newestRecords } from './newest-records.ts';

const gone = (path: string, fetchedAt: number): GoneRecord => ({
  ...{ kind: 'gone', url: `https://a.org/${path}` as CanonicalUrl, fetchedAt, status: 404 },
});

test('a cursor continues after the files of all writers, and expires when the journal is rebuilt', (context) => {
  const directory = openDirectory(temporaryDirectory(context));
  const add = (file: number, writer: string, ...records: GoneRecord[]) =>
    directory.replace(
      journalName(file, writer),
      encodeJournalFile([...encodeFrames(records.map(encodeRecord))]),
    );
  assert.equal(cursorAfter(directory, []), '1');
  add(1, 'main', gone('1', 10), gone('2', 10));
  add(2, 'n2', gone('3', 10));
  const cursor = cursorAfter(directory, journalFiles(directory));
  assert.equal(cursor, '1.main-1.n2-2');

  add(2, 'main', gone('1', 20), gone('2', 5));
  const files = journalFiles(directory);
  const after = positionOfCursor(directory, cursor, files);
  assert.deepEqual(
    files.filter((file) => !isRead(after, file)),
    [journalName(2, 'main')],
  );
  const newest = [...newestRecords(directory, files, { after, isNotable: ({ url }) => url.endsWith('1') })];
  assert.deepEqual(
    newest
      .map(({ record, isLater, wasNotable }) => [record.url.at(-1), record.fetchedAt, isLater, wasNotable])
      .sort(),
    [
      ['1', 20, true, true],
      ['2', 10, false, false],
      ['3', 10, false, false],
    ],
  );

  const refused = (text: string, code: string) =>
    assert.throws(
      () => positionOfCursor(directory, text, journalFiles(directory)),
      (error: { code?: string; message?: string }) =>
        error.code === code && /start again without a cursor/.test(error.message!),
      text,
    );
  for (const text of ['', 'x', '1.main', '1.main-1;n2-2', '1.MAIN-1']) refused(text, 'bad-cursor');
  for (const text of ['1.main-3', '2.main-1', '1.other-1']) refused(text, 'unknown-cursor');

  const first = firstHidden(directory);
  beginGeneration(directory, first);
  add(first, 'main', gone('1', 20));
  completeGeneration(directory);
  refused(cursor, 'expired-cursor');
  assert.deepEqual(positionOfCursor(directory, `${first}.main-${first}`, journalFiles(directory)), {
    main: first,
  });
});
