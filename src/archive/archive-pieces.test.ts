import assert from 'node:assert/strict';
import { test } from 'node:test';
import { archivePieces, pieceOfFile } from './archive-pieces.ts';
import { archiveBytes } from './check-archive.ts';
import { capture, temporaryDirectory } from './warc/warc.fixture.ts';
import { WARC_START, WarcWriter } from './warc/mod.ts';

const START = { name: '', offset: 0 };
const PATHS = ['/a', '/b', '/c', '/d', '/e', '/f'];

for (const compression of ['gzip', 'zstd'] as const)
  test(`${compression}: pieces are whole records, and together the committed bytes of the archive`, async (t) => {
    const directory = temporaryDirectory(t);
    const options = { directory, software: 'Gyre test', clock: { now: () => 0 }, compression };
    const writer = new WarcWriter({ ...options, mark: WARC_START, rotateBytes: 1_200 });
    let mark = WARC_START;
    for (const path of PATHS) {
      writer.append(capture(path, `the page ${path}`));
      mark = await writer.flush();
      writer.rotateIfLarge();
    }
    writer.append(capture('/uncommitted', 'lost'));
    await writer.flush();
    writer.close();
    const pieces = [...archivePieces(directory, mark, START, 500)];
    assert.ok(pieces.length > 2, `${pieces.length} pieces`);
    assert.deepEqual(new Set(pieces.map((piece) => piece.compression)), new Set([compression]));
    const copied = pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
    assert.equal(copied, archiveBytes(directory, mark));
    const urls = pieces.flatMap(({ entries }) => entries.map(({ url }) => new URL(url).pathname));
    assert.deepEqual(urls, PATHS);
    for (const { bytes, entries } of pieces)
      for (const { offset, length, url } of entries) {
        const { entries: found } = pieceOfFile(Buffer.from(bytes.subarray(offset, offset + length)), 'one');
        assert.deepEqual(
          found.map((each) => [each.url, each.offset, each.length]),
          [[url, 0, length]],
        );
      }
    for (const [at, { end }] of pieces.entries())
      assert.deepEqual(
        [...archivePieces(directory, mark, end, 500)],
        pieces.slice(at + 1),
        'continues after a piece',
      );
  });
