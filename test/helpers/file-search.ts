/** Searches all files of a directory for a text, also inside of their compressed parts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';

const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b, 0x08]);

/** Returns the paths of the files below `directory` that contain the text, plain or compressed. */
export async function filesWith(directory: string, text: string | Buffer): Promise<string[]> {
  const found: string[] = [];
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    if (bytes.includes(text) || (await inflatesTo(bytes, text))) found.push(path.slice(directory.length + 1));
  }
  return found.sort();
}

async function inflatesTo(bytes: Buffer, text: string | Buffer): Promise<boolean> {
  for (const [magic, open] of [
    [GZIP_MAGIC, createGunzip],
    [ZSTD_MAGIC, createZstdDecompress],
  ] as const) {
    for (let at = bytes.indexOf(magic); at >= 0; at = bytes.indexOf(magic, at + 1))
      if ((await inflated(bytes.subarray(at), open())).includes(text)) return true;
  }
  return false;
}

/** Decompresses bytes. The compressed data may end before the bytes do; the rest is ignored. */
function inflated(bytes: Buffer, stream: Duplex): Promise<Buffer> {
  const parts: Buffer[] = [];
  return new Promise((resolve) => {
    const end = () => resolve(Buffer.concat(parts));
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('error', end).on('end', end).on('close', end);
    stream.end(bytes);
  });
}
