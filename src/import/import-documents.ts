/** Imports the documents of a JSONL file, one per line, compressed or not; see archive/document-record.ts. */
import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { constants, createGunzip, createZstdDecompress } from 'node:zlib';
import { MAX_DOCUMENT_BYTES, parseDocument } from '../archive/mod.ts';
import { type Line, messageOf, readLines } from '../base/mod.ts';
import { type Importer, tooLarge } from './importer.ts';

export interface FileImport {
  path: string;
  importer: Importer;
  /** Reports how much of the file has been read, from 0 to 1. */
  show(share: number): void;
  signal: AbortSignal;
}

export async function importDocuments({ path, importer, show, signal }: FileImport): Promise<void> {
  const file = createReadStream(path);
  const { size } = statSync(path);
  const name = basename(path);
  const collection = name.replace(/\..*$/, '');
  const onDamage = (why: string) => importer.pass('damaged', name, `what follows cannot be read: ${why}`);
  for await (const line of readLines(untilDamage(decompressed(path, file), onDamage), MAX_DOCUMENT_BYTES)) {
    await takeLine(importer, line, `${name} line ${line.number}`, collection);
    show(file.bytesRead / size);
    if (signal.aborted) break;
  }
  file.destroy();
}

async function takeLine(
  importer: Importer,
  { bytes, sizeBytes }: Line,
  place: string,
  collection: string,
): Promise<void> {
  if (!bytes) return importer.pass('skipped', place, tooLarge(sizeBytes));
  // `trim` removes white space, and also a byte order mark at the beginning.
  const text = bytes.toString().trim();
  if (text === '') return;
  const parsed = parseDocument(text, collection);
  if ('document' in parsed) await importer.takeDocument(parsed.document, place);
  else importer.pass('skipped', place, parsed.problem);
}

function decompressed(path: string, file: Readable): Readable {
  if (/\.gz$/i.test(path)) return file.pipe(createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }));
  return /\.zst$/i.test(path) ? file.pipe(createZstdDecompress()) : file;
}

/**
 * Yields the bytes of a file until the first read error. Data after damage in a compressed file cannot be
 * read.
 */
async function* untilDamage(input: Readable, onDamage: (why: string) => void): AsyncGenerator<Uint8Array> {
  try {
    yield* input;
  } catch (error) {
    onDamage(messageOf(error));
  }
}
