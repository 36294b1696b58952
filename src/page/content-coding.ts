/**
 * Decodes the content codings of a response, such as gzip, up to a size limit. The limit is needed because a
 * small body can expand to a huge one.
 */
import { promisify } from 'node:util';
import {
  brotliDecompress,
  brotliDecompressSync,
  constants,
  gunzip,
  gunzipSync,
  inflate,
  inflateRaw,
  inflateRawSync,
  inflateSync,
  zstdDecompress,
  zstdDecompressSync,
} from 'node:zlib';

/**
 * Decompression-bomb guard: refuses bodies that expand more than MAX_RATIO times, unless the result is under
 * SMALL_BODY_BYTES.
 */
const MAX_RATIO = 200;
const SMALL_BODY_BYTES = 1024 * 1024;
/** The maximum number of codings that are applied one after the other. A longer chain is an attack. */
const MAX_CODINGS = 3;
/** The number of decoded bytes of large bodies after which the thread forces a garbage collection. */
const MAX_GARBAGE_BYTES = 8 * 1024 * 1024;

/**
 * The number of bytes of large bodies that this thread has decoded since the last garbage collection that it
 * forced.
 */
let garbageBytes = 0;

/**
 * A decoder of a content coding in two forms: `decode` runs in this thread, `decodeAside` in a thread of Node's
 * pool.
 */
interface Decoder {
  decode(bytes: Uint8Array, options: Options): Buffer;
  decodeAside(bytes: Uint8Array, options: Options): Promise<Buffer>;
}

interface Options {
  maxOutputLength: number;
  finishFlush?: number;
}

const GZIP: Decoder = { decode: gunzipSync, decodeAside: promisify<Uint8Array, Options, Buffer>(gunzip) };
const ZLIB: Decoder = { decode: inflateSync, decodeAside: promisify<Uint8Array, Options, Buffer>(inflate) };
const RAW: Decoder = {
  decode: inflateRawSync,
  decodeAside: promisify<Uint8Array, Options, Buffer>(inflateRaw),
};
const BROTLI: Decoder = {
  decode: brotliDecompressSync,
  decodeAside: promisify<Uint8Array, Options, Buffer>(brotliDecompress),
};
const ZSTD: Decoder = {
  decode: zstdDecompressSync,
  decodeAside: promisify<Uint8Array, Options, Buffer>(zstdDecompress),
};

type Decoded =
  | { kind: 'decoded'; body: Buffer }
  | { kind: 'too-large' }
  | { kind: 'undecodable'; reason: string };

/**
 * Decodes a body. `contentEncoding` is the value of the header: the codings in the order in which the server
 * applied them.
 */
export function decodeBody(payload: Buffer, contentEncoding: string, maxBytes: number): Decoded {
  const plan = planOf(payload, contentEncoding, maxBytes);
  let body = payload;
  for (const coding of plan.codings) {
    try {
      const { decoder, options } = decoderOf(coding, body, plan.limitBytes);
      collectGarbage();
      body = decoder.decode(body, options);
      noteGarbage(body.length);
    } catch (error) {
      noteGarbage(plan.limitBytes);
      return failureOf(coding, error);
    }
  }
  return plan.failure ?? { kind: 'decoded', body };
}

/**
 * Runs the garbage collector to free the buffers of 16 KiB into which Node.js decodes. V8 would free them only
 * after about 64 MB in each thread, because it does not see how large they are. All these buffers are recent,
 * so a minor collection of less than a millisecond frees them. `bin/gyre` starts Node with `--expose-gc`;
 * without that flag, V8 decides when to collect.
 */
function collectGarbage(): void {
  if (garbageBytes <= MAX_GARBAGE_BYTES) return;
  garbageBytes = 0;
  globalThis.gc?.({ type: 'minor' });
}

/** Counts the bytes of large bodies only: parsing small bodies makes the collector run often enough. */
function noteGarbage(sizeBytes: number): void {
  if (sizeBytes >= SMALL_BODY_BYTES) garbageBytes += sizeBytes;
}

/** Decodes a body like `decodeBody`, but in a thread of Node's pool. */
export async function decodeBodyAside(
  payload: Buffer,
  contentEncoding: string,
  maxBytes: number,
): Promise<Decoded> {
  const plan = planOf(payload, contentEncoding, maxBytes);
  let body = payload;
  for (const coding of plan.codings) {
    try {
      const { decoder, options } = decoderOf(coding, body, plan.limitBytes);
      body = await decoder.decodeAside(body, options);
    } catch (error) {
      return failureOf(coding, error);
    }
  }
  return plan.failure ?? { kind: 'decoded', body };
}

interface Plan {
  /** The codings in decoding order; empty if one of them is not supported. */
  codings: string[];
  limitBytes: number;
  failure: Decoded | null;
}

function planOf(payload: Buffer, contentEncoding: string, maxBytes: number): Plan {
  const codings = codingsOf(contentEncoding).reverse();
  const limitBytes = Math.min(maxBytes, Math.max(SMALL_BODY_BYTES, payload.length * MAX_RATIO));
  const unknown = codings.find((coding) => !CODINGS.has(coding));
  const reason =
    codings.length > MAX_CODINGS
      ? 'too many content codings'
      : unknown && `unknown content coding ${unknown.slice(0, 20)}`;
  if (reason) return { codings: [], limitBytes, failure: { kind: 'undecodable', reason } };
  return { codings, limitBytes, failure: null };
}

function failureOf(coding: string, error: unknown): Decoded {
  return isTooLarge(error) ? { kind: 'too-large' } : { kind: 'undecodable', reason: `broken ${coding} body` };
}

function codingsOf(contentEncoding: string): string[] {
  const named = contentEncoding.toLowerCase().split(',');
  return named.map((coding) => coding.trim()).filter((coding) => coding !== '' && coding !== 'identity');
}

const CODINGS = new Set(['gzip', 'x-gzip', 'br', 'zstd', 'deflate']);

function decoderOf(
  coding: string,
  bytes: Uint8Array,
  maxOutputLength: number,
): { decoder: Decoder; options: Options } {
  if (coding === 'br') return { decoder: BROTLI, options: { maxOutputLength } };
  if (coding === 'zstd') return { decoder: ZSTD, options: { maxOutputLength } };
  // If a stream is truncated, the data before the cut is kept. Browsers show such pages too.
  const options = { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH };
  if (coding !== 'deflate') return { decoder: GZIP, options };
  // The standard requires zlib format; some servers send raw deflate without the zlib header.
  const hasZlibHeader =
    bytes.length > 1 && (bytes[0]! & 0x0f) === 8 && ((bytes[0]! << 8) | bytes[1]!) % 31 === 0;
  return { decoder: hasZlibHeader ? ZLIB : RAW, options };
}

function isTooLarge(error: unknown): boolean {
  return error instanceof RangeError || (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';
}
