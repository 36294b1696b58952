/**
 * Decodes streams of a PDF file: decompression and the other filters that text needs (ISO 32000, § 7.4).
 *
 * Each filter pays the budget for its output bytes, and stops when the budget is spent.
 */
import { constants, inflateRawSync, inflateSync } from 'node:zlib';
import { ByteWriter, systemCode, type WorkBudget } from '../../base/mod.ts';
import type { Dictionary } from './pdf-values.ts';

/**
 * The number of output bytes that a failed decompression is charged for each compressed byte. The real size of
 * the output is unknown, because zlib does not report how much it had decompressed.
 */
const FAILED_RATIO = 64;
/** The number of bytes that a predictor decodes in one step of the work budget. */
const PREDICTED_BYTES_A_STEP = 16;
const LZW_CODES = 4096;
/**
 * The first code for a word in LZW. Codes below 256 are bytes, 256 clears the table, and 257 ends the data.
 */
const FIRST_LZW_CODE = 258;

/**
 * Decodes a stream. Returns null for filters that only images use, and when the budget is spent. Truncated
 * data gives the output before its end.
 */
export function unpackStream(
  filter: string,
  data: Buffer,
  parameters: Dictionary,
  budget: WorkBudget,
): Buffer | null {
  const bytes = unpackOnce(filter, data, parameters, budget);
  return bytes && budget.decode(bytes.length) ? bytes : null;
}

function unpackOnce(filter: string, data: Buffer, parameters: Dictionary, budget: WorkBudget): Buffer | null {
  const maxBytes = budget.left.bytes;
  switch (filter) {
    case 'FlateDecode':
    case 'Fl':
      return unpredicted(inflated(data, budget), parameters, budget);
    case 'LZWDecode':
    case 'LZW':
      return unpredicted(
        unpackLzw(data, parameters.get('EarlyChange') === 0 ? 0 : 1, maxBytes),
        parameters,
        budget,
      );
    case 'ASCII85Decode':
    case 'A85':
      return unpackAscii85(data, maxBytes);
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

/**
 * Decompresses zlib data. If the checksum or the header is wrong, tries the bytes after the header without
 * checking.
 */
function inflated(data: Buffer, budget: WorkBudget): Buffer | null {
  return inflatedBy(inflateSync, data, budget) ?? inflatedBy(inflateRawSync, data.subarray(2), budget);
}

function inflatedBy(inflate: typeof inflateSync, data: Buffer, budget: WorkBudget): Buffer | null {
  if (budget.isSpent) return null;
  const maxBytes = Math.max(1, budget.left.bytes);
  try {
    return inflate(data, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxBytes });
  } catch (error) {
    const isTooLarge = systemCode(error) === 'ERR_BUFFER_TOO_LARGE';
    budget.decode(isTooLarge ? maxBytes + 1 : FAILED_RATIO * data.length);
    return null;
  }
}

/** Decodes the predictors of PNG, which store the difference of each byte to its neighbours. */
function unpredicted(data: Buffer | null, parameters: Dictionary, budget: WorkBudget): Buffer | null {
  const number = (name: string, fallback: number) => {
    const value = parameters.get(name);
    return typeof value === 'number' ? value : fallback;
  };
  if (!data || number('Predictor', 1) < 10) return data;
  const bits = number('Colors', 1) * number('BitsPerComponent', 8);
  const pixel = Math.max(1, bits >> 3);
  const row = Math.max(1, (bits * number('Columns', 1) + 7) >> 3);
  if (!budget.step(data.length / PREDICTED_BYTES_A_STEP)) return null;
  const result = Buffer.alloc(Math.floor(data.length / (row + 1)) * row);
  for (let from = 0, to = 0; to < result.length; from += row + 1, to += row) {
    unpredictRow(data, from, row, result, to, pixel);
  }
  return result;
}

/** Decodes the row at `from`. Its first byte is the type of its predictor. */
function unpredictRow(
  data: Buffer,
  from: number,
  length: number,
  result: Buffer,
  at: number,
  pixel: number,
): void {
  const kind = data[from]!;
  for (let i = 0; i < length; i++) {
    const left = i >= pixel ? result[at + i - pixel]! : 0;
    const up = at >= length ? result[at + i - length]! : 0;
    const corner = i >= pixel && at >= length ? result[at + i - length - pixel]! : 0;
    result[at + i] = data[from + 1 + i]! + predicted(kind, left, up, corner);
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

/**
 * Decodes data that was compressed with LZW. Each table entry is a word of the output, extended by the byte
 * after it. It is stored as the start and end of its first occurrence in the output.
 */
function unpackLzw(data: Buffer, early: number, maxBytes: number): Buffer {
  const starts = new Uint32Array(LZW_CODES);
  const ends = new Uint32Array(LZW_CODES);
  let result = Buffer.allocUnsafe(4 * data.length + LZW_CODES);
  let length = 0;
  let codes = FIRST_LZW_CODE;
  let lastStart = -1;
  let width = 9;
  let bits = 0;
  let bitCount = 0;
  for (const byte of data) {
    bits = ((bits << 8) | byte) & 0xffffff;
    bitCount += 8;
    if (bitCount < width) continue;
    bitCount -= width;
    const code = (bits >> bitCount) & ((1 << width) - 1);
    if (code === 257 || length > maxBytes || (code >= codes && lastStart < 0)) break;
    if (code === 256) {
      codes = FIRST_LZW_CODE;
      width = 9;
      lastStart = -1;
      continue;
    }
    if (length + LZW_CODES > result.length) result = Buffer.concat([result], 2 * result.length);
    if (lastStart >= 0 && codes < LZW_CODES) {
      starts[codes] = lastStart;
      ends[codes] = length + 1;
      codes++;
    }
    lastStart = length;
    if (code < 256) result[length++] = code;
    else {
      // The newest table entry may overlap the word that is being written, so bytes are copied one by one.
      const entry = Math.min(code, codes - 1);
      for (let at = starts[entry]!; at < ends[entry]!; at++) result[length++] = result[at]!;
    }
    const next = codes + early;
    width = next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9;
  }
  return result.subarray(0, length);
}

function unpackAscii85(data: Buffer, maxBytes: number): Buffer {
  const result = new ByteWriter(data.length + 4);
  let value = 0;
  let count = 0;
  for (const byte of data) {
    if (byte === 0x7e || result.length > maxBytes) break;
    if (byte === 0x7a && count === 0) result.u32(0);
    if (byte < 0x21 || byte > 0x75) continue;
    value = value * 85 + (byte - 0x21);
    if (++count < 5) continue;
    for (const shift of [24, 16, 8, 0]) result.u8((value >>> shift) & 255);
    value = count = 0;
  }
  if (count > 1) {
    for (let i = count; i < 5; i++) value = value * 85 + 84;
    for (const shift of [24, 16, 8].slice(0, count - 1)) result.u8((value >>> shift) & 255);
  }
  return result.view();
}

function unpackRuns(data: Buffer, maxBytes: number): Buffer {
  const result = new ByteWriter(2 * data.length + 128);
  for (let at = 0; at < data.length && data[at] !== 128 && result.length <= maxBytes; ) {
    const length = data[at]!;
    if (length < 128) result.copy(data, at + 1, Math.min(at + 2 + length, data.length));
    else for (let i = 257 - length; i > 0; i--) result.u8(data[at + 1] ?? 0);
    at += length < 128 ? length + 2 : 2;
  }
  return result.view();
}
