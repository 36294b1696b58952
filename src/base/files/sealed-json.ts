/**
 * JSON files with a checksum. The checksum is the last key and covers all bytes before it.
 *
 *   {
 *     "format": 1,
 *     "first": 18,
 *     "hiddenFrom": null,
 *     "checksum": "6bada5aa"
 *   }
 *
 * `checksum` is the CRC-32, in eight hexadecimal digits, of all bytes before the comma that precedes it. Files
 * of older versions have no checksum. A file without a checksum is accepted only if all of its keys are known:
 * otherwise one flipped bit in the word "checksum" would disable the check.
 */
import { crc32 } from 'node:zlib';
import { CorruptError, messageOf } from '../errors.ts';

const CLOSING = '\n}';
const OPENING = ',\n  "checksum": "';

interface SealedJsonOptions {
  file: string;
  /** All keys that the file may have except `checksum`. */
  keys: readonly string[];
  /** Advice for the operator if the file is damaged. */
  advice: string;
}

/** Adds the checksum to a value and returns the bytes of the file. `value` needs at least one key. */
export function sealJson(value: object): Buffer {
  const opened = JSON.stringify(value, null, 2).slice(0, -CLOSING.length);
  return Buffer.from(`${opened}${OPENING}${checksumOf(Buffer.from(opened))}"${CLOSING}\n`);
}

/**
 * Checks the checksum of a JSON file and returns its value without the checksum. Throws a `CorruptError` if
 * the bytes have changed since they were written.
 */
export function parseSealedJson(bytes: Buffer, options: SealedJsonOptions): Record<string, unknown> {
  const { file, keys, advice } = options;
  const end = bytes.lastIndexOf(OPENING);
  if (end >= 0) {
    const expected = bytes.toString('latin1', end + OPENING.length).slice(0, 8);
    const actual = checksumOf(bytes.subarray(0, end));
    if (actual !== expected) throw new CorruptError(file, end, `checksum ${expected}`, actual, advice);
  }
  const value = parseJson(bytes, options);
  const unknown = end >= 0 ? undefined : Object.keys(value).find((key) => !keys.includes(key));
  if (unknown !== undefined) {
    throw new CorruptError(file, 0, 'a checksum at the end', `none, and a key "${unknown}"`, advice);
  }
  const { checksum: _, ...rest } = value;
  return rest;
}

function parseJson(bytes: Buffer, { file, advice }: SealedJsonOptions): Record<string, unknown> {
  try {
    return Object(JSON.parse(bytes.toString()));
  } catch (cause) {
    const why = messageOf(cause).replace(/\s+/g, ' ');
    const isEnd = why.includes('end of JSON');
    const offset = isEnd ? bytes.length : Number(/at position (\d+)/.exec(why)?.[1] ?? 0);
    throw new CorruptError(file, offset, 'JSON', why, advice);
  }
}

function checksumOf(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}
