/** Undoes the content codings of a response, never past a limit: a small body can hold a huge one. */
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';

/** A body may unpack to so many times its size; one that stays below the second number always may. */
const MAX_RATIO = 200;
const SMALL_BODY_BYTES = 1024 * 1024;
/** A longer chain of codings is an attack, not a web page. */
const MAX_CODINGS = 3;

type Decoder = (bytes: Uint8Array, maxBytes: number) => Buffer;

const DECODERS: Record<string, Decoder> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  br: (bytes, maxOutputLength) => brotliDecompressSync(bytes, { maxOutputLength }),
  zstd: (bytes, maxOutputLength) => zstdDecompressSync(bytes, { maxOutputLength }),
  deflate: inflate,
};

export type Decoded =
  | { kind: 'decoded'; body: Buffer }
  | { kind: 'too-large' }
  | { kind: 'undecodable'; reason: string };

/** `contentEncoding` is the header's value: the codings in the order in which they were applied. */
export function decodeBody(payload: Buffer, contentEncoding: string, maxBytes: number): Decoded {
  const codings = codingsOf(contentEncoding).reverse();
  if (codings.length > MAX_CODINGS) return { kind: 'undecodable', reason: 'too many content codings' };
  const limit = Math.min(maxBytes, Math.max(SMALL_BODY_BYTES, payload.length * MAX_RATIO));
  let body = payload;
  for (const coding of codings) {
    const decode = DECODERS[coding];
    if (!decode) return { kind: 'undecodable', reason: `unknown content coding ${coding.slice(0, 20)}` };
    try {
      body = decode(body, limit);
    } catch (error) {
      if (isTooLarge(error)) return { kind: 'too-large' };
      return { kind: 'undecodable', reason: `broken ${coding} body` };
    }
  }
  return { kind: 'decoded', body };
}

function codingsOf(contentEncoding: string): string[] {
  const named = contentEncoding.toLowerCase().split(',');
  return named.map((coding) => coding.trim()).filter((coding) => coding !== '' && coding !== 'identity');
}

/** A stream that ends early still gives what it held: browsers show such pages too. */
function gunzip(bytes: Uint8Array, maxOutputLength: number): Buffer {
  return gunzipSync(bytes, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });
}

/** The standard says zlib; some servers send it without its header. */
function inflate(bytes: Uint8Array, maxOutputLength: number): Buffer {
  const options = { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH };
  const hasZlibHeader =
    bytes.length > 1 && (bytes[0]! & 0x0f) === 8 && ((bytes[0]! << 8) | bytes[1]!) % 31 === 0;
  return hasZlibHeader ? inflateSync(bytes, options) : inflateRawSync(bytes, options);
}

function isTooLarge(error: unknown): boolean {
  return error instanceof RangeError || (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';
}
