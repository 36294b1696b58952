/** How the bytes of a stream are packed (ISO 32000, § 7.4): undone here, as far as text needs it. */
import { constants, inflateRawSync, inflateSync } from 'node:zlib';
import type { Dictionary } from './pdf-values.ts';

/** What was unpacked before the data broke off is kept, as everyone else does. Null for what only images use. */
export function unpack(
  filter: string,
  data: Buffer,
  parameters: Dictionary,
  maxBytes: number,
): Buffer | null {
  switch (filter) {
    case 'FlateDecode':
    case 'Fl':
      return unpredicted(inflated(data, maxBytes), parameters);
    case 'LZWDecode':
    case 'LZW':
      return unpredicted(unpackLzw(data, parameters.get('EarlyChange') === 0 ? 0 : 1, maxBytes), parameters);
    case 'ASCII85Decode':
    case 'A85':
      return unpackAscii85(data);
    case 'ASCIIHexDecode':
    case 'AHx':
      return Buffer.from(
        data
          .toString('latin1')
          .split('>', 1)[0]!
          .replace(/[^0-9a-f]/gi, ''),
        'hex',
      );
    case 'RunLengthDecode':
    case 'RL':
      return unpackRuns(data, maxBytes);
    default:
      return null;
  }
}

function inflated(data: Buffer, maxBytes: number): Buffer {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: Math.max(1, maxBytes) };
  try {
    return inflateSync(data, options);
  } catch {
    return inflatedInPart(data, options);
  }
}

/** A wrong checksum or header: the bytes behind the header may be sound all the same. */
function inflatedInPart(data: Buffer, options: Parameters<typeof inflateRawSync>[1]): Buffer {
  try {
    return inflateRawSync(data.subarray(2), options);
  } catch {
    return Buffer.alloc(0);
  }
}

/** Undoes the predictors of PNG: what was packed is the difference of each byte to its neighbours. */
function unpredicted(data: Buffer, parameters: Dictionary): Buffer {
  const number = (name: string, fallback: number) => {
    const value = parameters.get(name);
    return typeof value === 'number' ? value : fallback;
  };
  if (number('Predictor', 1) < 10) return data;
  const bits = number('Colors', 1) * number('BitsPerComponent', 8);
  const pixel = Math.max(1, bits >> 3);
  const row = Math.max(1, (bits * number('Columns', 1) + 7) >> 3);
  const result = Buffer.alloc(Math.floor(data.length / (row + 1)) * row);
  for (let from = 0, to = 0; to < result.length; from += row + 1, to += row) {
    unpredictRow(data[from]!, data.subarray(from + 1, from + 1 + row), result, to, pixel);
  }
  return result;
}

function unpredictRow(kind: number, row: Buffer, result: Buffer, at: number, pixel: number): void {
  for (let i = 0; i < row.length; i++) {
    const left = i >= pixel ? result[at + i - pixel]! : 0;
    const up = at >= row.length ? result[at + i - row.length]! : 0;
    const corner = i >= pixel && at >= row.length ? result[at + i - row.length - pixel]! : 0;
    result[at + i] = row[i]! + predicted(kind, left, up, corner);
  }
}

function predicted(kind: number, left: number, up: number, corner: number): number {
  if (kind === 1) return left;
  if (kind === 2) return up;
  if (kind === 3) return (left + up) >> 1;
  if (kind !== 4) return 0;
  const guess = left + up - corner;
  const byLeft = Math.abs(guess - left);
  const byUp = Math.abs(guess - up);
  const byCorner = Math.abs(guess - corner);
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

function unpackLzw(data: Buffer, early: number, maxBytes: number): Buffer {
  const result: number[] = [];
  let table: number[][] = [];
  let width = 9;
  let last: number[] | null = null;
  let bits = 0;
  let bitCount = 0;
  for (const byte of data) {
    bits = ((bits << 8) | byte) & 0xffffff;
    bitCount += 8;
    if (bitCount < width) continue;
    bitCount -= width;
    const code = (bits >> bitCount) & ((1 << width) - 1);
    if (code === 257 || result.length > maxBytes) break;
    if (code === 256) {
      table = [];
      width = 9;
      last = null;
      continue;
    }
    const known = code < 256 ? [code] : table[code - 258];
    const entry: number[] | null = known ?? (last ? [...last, last[0]!] : null);
    if (!entry) break;
    for (const each of entry) result.push(each);
    if (last && table.length < 4096 - 258) table.push([...last, entry[0]!]);
    last = entry;
    const next = table.length + 258 + early;
    width = next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9;
  }
  return Buffer.from(result);
}

function unpackAscii85(data: Buffer): Buffer {
  const result: number[] = [];
  let value = 0;
  let count = 0;
  for (const byte of data) {
    if (byte === 0x7e) break;
    if (byte === 0x7a && count === 0) result.push(0, 0, 0, 0);
    if (byte < 0x21 || byte > 0x75) continue;
    value = value * 85 + (byte - 0x21);
    if (++count < 5) continue;
    result.push((value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
    value = count = 0;
  }
  if (count > 1) {
    for (let i = count; i < 5; i++) value = value * 85 + 84;
    const bytes = [(value / 0x1000000) & 255, (value >>> 16) & 255, (value >>> 8) & 255];
    result.push(...bytes.slice(0, count - 1));
  }
  return Buffer.from(result);
}

function unpackRuns(data: Buffer, maxBytes: number): Buffer {
  const parts: Buffer[] = [];
  let size = 0;
  for (let at = 0; at < data.length && data[at] !== 128 && size < maxBytes; ) {
    const length = data[at]!;
    const part =
      length < 128 ? data.subarray(at + 1, at + 2 + length) : Buffer.alloc(257 - length, data[at + 1] ?? 0);
    parts.push(part);
    size += part.length;
    at += length < 128 ? length + 2 : 2;
  }
  return Buffer.concat(parts);
}
