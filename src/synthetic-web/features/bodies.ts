/**
 * Features with bodies in every content coding, and with bodies that are too large. `encodings` respects
 * Accept-Encoding, as honest servers do: clients that do not accept the coding get the page uncompressed.
 * `bombs` ignores Accept-Encoding.
 */
import { pipeline, Readable } from 'node:stream';
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createDeflate,
  createGzip,
  createZstdCompress,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import {
  type Document,
  dealPages,
  type FeatureContext,
  type FeaturePart,
  featurePageOf,
  randomFor,
  range,
} from '../feature.ts';
import { htmlResponse, type Place, type Responder, type Visit, type WebResponse } from '../site.ts';

const PAGES_PER_HOST = 10;
const CHUNK_BYTES = 1 << 16;

/**
 * The content codings, each with its Content-Encoding header and its compressor. `deflate` without the zlib
 * frame is included, because it is common.
 */
const CODINGS = [
  { kind: 'gzip', header: 'gzip', compress: gzipSync },
  { kind: 'br', header: 'br', compress: brotliCompressSync },
  { kind: 'zstd', header: 'zstd', compress: zstdCompressSync },
  { kind: 'deflate', header: 'deflate', compress: deflateSync },
  { kind: 'deflate-raw', header: 'deflate', compress: deflateRawSync },
  { kind: 'gzip-members', header: 'gzip', compress: gzipInMembers },
  { kind: 'gzip-br', header: 'gzip, br', compress: (bytes: Buffer) => brotliCompressSync(gzipSync(bytes)) },
  { kind: 'identity', header: 'identity', compress: (bytes: Buffer) => bytes },
] as const;

export interface EncodingTruth extends Place {
  kind: (typeof CODINGS)[number]['kind'];
  /** The Content-Encoding header that a client gets if it accepts the coding. */
  header: string;
  /** The size of the page before compression. */
  sizeBytes: number;
  title: string;
  uniqueWord: string;
}

/** Plans `count` pages that cycle through the content codings. */
export function planEncodings(context: FeatureContext, count: number): FeaturePart<EncodingTruth> {
  const pages = range(count).map((number) => {
    const { kind, header, compress } = CODINGS[number % CODINGS.length]!;
    const document = context.document();
    const { title, uniqueWord } = document;
    const page = Buffer.from(featurePageOf(context, document));
    const respond: Responder = (visit) =>
      accepts(visit, header)
        ? {
            ...htmlResponse('', { 'content-encoding': header, vary: 'accept-encoding' }),
            body: compress(page),
          }
        : { ...htmlResponse('', { vary: 'accept-encoding' }), body: page };
    return {
      path: `/${kind}/${number}`,
      respond,
      truth: { kind, header, sizeBytes: page.length, title, uniqueWord },
    };
  });
  return dealPages(context, 'encodings', PAGES_PER_HOST, pages);
}

function accepts(visit: Visit, header: string): boolean {
  const accepted = visit
    .header('accept-encoding')
    .split(',')
    .map((coding) => coding.split(';')[0]!.trim());
  return header.split(', ').every((coding) => accepted.includes(coding));
}

function gzipInMembers(bytes: Buffer): Buffer {
  const half = bytes.length >> 1;
  return Buffer.concat([gzipSync(bytes.subarray(0, half)), gzipSync(bytes.subarray(half))]);
}

const BOMBS = {
  gzip: () => createGzip(),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: () => createZstdCompress(),
  deflate: () => createDeflate(),
} as const;

export interface BombTruth extends Place {
  header: keyof typeof BOMBS;
  /** The size after decompression. The compressed size is a thousandth of it or less. */
  inflatedBytes: number;
}

/**
 * Plans `count` decompression bombs, one per host, that cycle through gzip, br, zstd and deflate. They are
 * generated while they are sent.
 */
export function planBombs(context: FeatureContext, count: number): FeaturePart<BombTruth> {
  const { bombBytes } = context.tuning;
  const pages = range(count).map((number) => {
    const header = (Object.keys(BOMBS) as (keyof typeof BOMBS)[])[number % 4]!;
    const head = Buffer.from(featurePageOf(context, context.document()));
    const respond: Responder = () => ({
      ...htmlResponse('', { 'content-encoding': header }),
      body: () => pipeline(Readable.from(blanks(head, bombBytes)), BOMBS[header](), ignoreLeaving),
    });
    return { path: '/bomb', respond, truth: { header, inflatedBytes: bombBytes } };
  });
  return dealPages(context, 'bombs', 1, pages);
}

/** Ignores the error of a client that disconnected, because the request log already records it. */
function ignoreLeaving(): void {}

function* blanks(head: Buffer, sizeBytes: number): Generator<Buffer> {
  yield head;
  const chunk = Buffer.alloc(CHUNK_BYTES, ' ');
  for (let left = sizeBytes - head.length; left > 0; left -= chunk.length) yield chunk.subarray(0, left);
}

export interface HugePageTruth extends Place {
  sizeBytes: number;
  title: string;
  /** A word in the first kilobyte of the page. */
  uniqueWord: string;
  /**
   * A word in the last kilobyte of the page. A search finds it only if the crawl has read the page to its
   * end.
   */
  lastWord: string;
}

/** Plans `count` pages of valid HTML, far larger than all others. */
export function planHugePages(context: FeatureContext, count: number): FeaturePart<HugePageTruth> {
  const sizeBytes = context.tuning.hugeBytes;
  const pages = range(count).map((number) => {
    const document = context.document();
    const { title, uniqueWord } = document;
    const lastWord = context.document().uniqueWord;
    const respond = (): WebResponse => ({
      ...htmlResponse('', { 'content-length': String(sizeBytes) }),
      body: () => Readable.from(hugePage(context, document, lastWord, sizeBytes)),
    });
    return { path: `/huge/${number}`, respond, truth: { sizeBytes, title, uniqueWord, lastWord } };
  });
  return dealPages(context, 'huge', PAGES_PER_HOST, pages);
}

function* hugePage(
  context: FeatureContext,
  document: Document,
  lastWord: string,
  sizeBytes: number,
): Generator<Buffer> {
  const random = randomFor(context, document.number);
  const head = featurePageOf(context, document, { paragraphs: [`Filed under ${document.uniqueWord}.`] });
  const start = head.slice(0, head.indexOf('</body>'));
  const end = `<p>It ends with ${lastWord}.</p>\n</body>\n</html>\n`;
  yield Buffer.from(start);
  let left = sizeBytes - start.length - end.length;
  while (left > 0) {
    let text = '';
    while (text.length < CHUNK_BYTES) text += `${context.prose.passage(random).toString('latin1')}</p>\n`;
    const whole =
      text.length <= left ? text : text.slice(0, text.lastIndexOf('\n', left - 1) + 1).padEnd(left);
    yield Buffer.from(whole);
    left -= whole.length;
  }
  yield Buffer.from(end);
}
