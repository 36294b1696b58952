/**
 * Makes a target of a file that the engine itself has written. Each input is read twice: as it is, which shows that a
 * wrong checksum is found, and with a right checksum, which shows what the reader does with values that it did not expect.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Directory, openDirectory } from '../../src/base/mod.ts';
import { allowRefusal, type FuzzTarget } from './target.ts';

interface StoredFile extends Pick<FuzzTarget, 'name' | 'about' | 'words'> {
  /** The name of the file in its directory. */
  file: string;
  seal: 'binary' | 'json';
  /** Writes a valid file into an empty directory. */
  write(directory: Directory): unknown;
  /** Reads the file, and all of its values. */
  read(directory: Directory): unknown;
}

const CHECKSUM_BYTES = 4;
const JSON_CHECKSUM = /,\n {2}"checksum": "[\s\S]*$/;

/** Returns the bytes with the CRC-32 at the end that a sealed file must have. */
export function resealed(bytes: Uint8Array): Buffer {
  const copy = Buffer.from(bytes);
  const end = copy.length - CHECKSUM_BYTES;
  if (end >= 0) copy.writeUInt32LE(crc32(copy.subarray(0, end)), end);
  return copy;
}

/** Returns the text of a sealed JSON file with the checksum that it must have. */
export function resealedJson(bytes: Uint8Array): Buffer {
  const opened = Buffer.from(bytes)
    .toString('latin1')
    .replace(JSON_CHECKSUM, '')
    .replace(/\s*\}\s*$/, '');
  const checksum = crc32(Buffer.from(opened, 'latin1')).toString(16).padStart(8, '0');
  return Buffer.from(`${opened},\n  "checksum": "${checksum}"\n}\n`, 'latin1');
}

export function storedFileTarget({
  name,
  about,
  words = [],
  file,
  seal,
  write,
  read,
}: StoredFile): FuzzTarget {
  let directory: Directory | null = null;
  const opened = () => {
    directory ??= openDirectory(mkdtempSync(join(tmpdir(), 'gyre-fuzz-')));
    return directory;
  };
  return {
    name,
    about,
    words,
    async seeds() {
      await write(opened());
      return [opened().read(file)];
    },
    async run(input) {
      const place = join(opened().path, file);
      for (const bytes of [input, seal === 'json' ? resealedJson(input) : resealed(input)]) {
        writeFileSync(place, bytes);
        await allowRefusal(() => read(opened()));
      }
    },
    close() {
      if (directory) rmSync(directory.path, { recursive: true, force: true });
      directory = null;
    },
  };
}
