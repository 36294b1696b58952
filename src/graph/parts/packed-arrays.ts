/**
 * Blobs that workers of a ranking exchange: some arrays of bytes in one blob.
 *
 *   magic      GYB1, version u32
 *   count      u32
 *   lengths    u32 × count
 *   arrays     the bytes of all arrays
 *   checksum   u32   CRC-32 of all bytes before it
 */
import { crc32 } from 'node:zlib';
import {
  ByteReader,
  CorruptError,
  checkSealHeader,
  type FileKind,
  SEAL_FOOTER_BYTES,
  SEAL_HEADER_BYTES,
  sealHeader,
} from '../../base/mod.ts';

const KIND: FileKind = { magic: 'GYB1', version: 1 };

export function packArrays(arrays: readonly ArrayBufferView[]): Buffer {
  const head = Buffer.alloc(4 + 4 * arrays.length);
  head.writeUInt32LE(arrays.length, 0);
  arrays.forEach(({ byteLength }, at) => {
    head.writeUInt32LE(byteLength, 4 + 4 * at);
  });
  const bytes = Buffer.concat([
    sealHeader(KIND),
    head,
    ...arrays.map(bytesOf),
    Buffer.alloc(SEAL_FOOTER_BYTES),
  ]);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, -SEAL_FOOTER_BYTES)), bytes.length - SEAL_FOOTER_BYTES);
  return bytes;
}

export function unpackArrays(bytes: Buffer, name: string): Buffer[] {
  checkSealHeader(bytes, KIND, name);
  const end = bytes.length - SEAL_FOOTER_BYTES;
  const actual = crc32(bytes.subarray(0, end));
  const expected = bytes.readUInt32LE(end);
  if (actual !== expected)
    throw new CorruptError(name, end, `checksum ${expected.toString(16)}`, actual.toString(16));
  const reader = new ByteReader(bytes.subarray(SEAL_HEADER_BYTES, end), name);
  const lengths = Array.from({ length: reader.u32() }, () => reader.u32());
  return lengths.map((length) => reader.raw(length));
}

/** Copies bytes to an array of numbers, because bytes in a file need not be aligned. */
export function toUint32s(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(copyOf(bytes));
}

export function toFloat32s(bytes: Uint8Array): Float32Array {
  return new Float32Array(copyOf(bytes));
}

export function toFloat64s(bytes: Uint8Array): Float64Array {
  return new Float64Array(copyOf(bytes));
}

function copyOf(bytes: Uint8Array): ArrayBuffer {
  // `Uint8Array.from` copies byte by byte, and `slice` of a Buffer copies nothing.
  return new Uint8Array(bytes).buffer;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
