/**
 * Encodes captures to the bytes of a WARC file, and creates the CDXJ entry of each.
 *
 * Encoding is a pure function of its batch, so it may run in another thread: compression is most of the cost of
 * an archive, and the crawl's thread stays free. Files, offsets and crash safety are the writer's task.
 */
import { ByteWriter, messageOf, WorkerChannel } from '../../base/mod.ts';
import { type CdxEntry, cdxTimestamp, REVISIT_MIME } from '../cdx/mod.ts';
import { compressRecord, type WarcCompression } from './warc-compression.ts';
import { type Archivable, type Capture, encodeRecords, isResource } from './warc-format.ts';

/** The initial size of the output buffer; enough for a usual batch. */
export const OUTPUT_BYTES = 1024 * 1024;

/** The bytes of encoded records. Their position in the WARC file is not known yet. */
export interface EncodedBatch {
  bytes: Uint8Array;
  /** One CDXJ entry per item. Offsets are relative to the start of the batch. */
  entries: BatchEntry[];
}

type BatchEntry = Omit<CdxEntry, 'filename'>;

/** Encodes captures to WARC records, one batch at a time. */
export interface WarcEncoder {
  encode(items: readonly Archivable[], compression: WarcCompression): Promise<EncodedBatch>;
  close(): void;
}

/**
 * Encodes a batch and writes it to `output`, which is used again for every batch: allocating memory for each
 * batch costs more than copying the bytes out.
 */
export function encodeBatch(
  items: readonly Archivable[],
  compression: WarcCompression,
  output: ByteWriter,
): EncodedBatch {
  const entries: BatchEntry[] = [];
  output.clear();
  for (const item of items) {
    const offset = output.length;
    let length = 0;
    for (const { bytes, codedFrom } of encodeRecords(item)) {
      output.raw(compressRecord(bytes, compression, codedFrom));
      length ||= output.length - offset;
    }
    entries.push({ ...describeItem(item), offset, length });
  }
  return { bytes: output.view(), entries };
}

/** Encodes in the caller's thread. The bytes of a batch are valid until the next call. */
export class InlineEncoder implements WarcEncoder {
  readonly #output = new ByteWriter(OUTPUT_BYTES);

  async encode(items: readonly Archivable[], compression: WarcCompression): Promise<EncodedBatch> {
    return encodeBatch(items, compression, this.#output);
  }

  close(): void {}
}

/** The message to the encoder thread. All payloads are in one buffer, which is transferred, not copied. */
export interface EncoderRequest {
  items: Archivable[];
  /** The end of each item's payload in `payloads`, in bytes. */
  ends: number[];
  payloads: Uint8Array<ArrayBuffer>;
  compression: WarcCompression;
}

/** Encodes in a separate thread. The caller's thread only copies the payloads. */
export class ThreadEncoder implements WarcEncoder {
  readonly #thread = new WorkerChannel<EncoderRequest, EncodedBatch>(
    new URL('./warc-encoder-thread.ts', import.meta.url),
  );

  constructor() {
    this.#thread.unref();
  }

  async encode(items: readonly Archivable[], compression: WarcCompression): Promise<EncodedBatch> {
    const request = pack(items, compression);
    try {
      return await this.#thread.ask(request, [request.payloads.buffer]);
    } catch (cause) {
      throw new Error(`the archive's encoder failed: ${messageOf(cause)}`, { cause });
    } finally {
      this.#thread.unref();
    }
  }

  close(): void {
    void this.#thread.close();
  }
}

const NO_BYTES = new Uint8Array(0);

/**
 * Makes the message for the encoder thread. Payloads are often small parts of large buffers, and a message
 * would copy those buffers whole. Therefore the payloads are first copied to one buffer.
 */
function pack(items: readonly Archivable[], compression: WarcCompression): EncoderRequest {
  const total = items.reduce((sum, item) => sum + item.payload.length, 0);
  const payloads = new Uint8Array(total);
  const ends: number[] = [];
  let at = 0;
  for (const { payload } of items) {
    payloads.set(payload, at);
    at += payload.length;
    ends.push(at);
  }
  return { items: items.map((item) => ({ ...item, payload: NO_BYTES })), ends, payloads, compression };
}

export function unpackCapture({ items, ends, payloads }: EncoderRequest): Archivable[] {
  return items.map((item, i) => ({ ...item, payload: payloads.subarray(ends[i - 1] ?? 0, ends[i]) }));
}

/** Returns the CDXJ entry of an item, without offset and length. */
export function describeItem(item: Archivable): Omit<BatchEntry, 'offset' | 'length'> {
  const { url, fetchedAt, payloadDigest } = item;
  const resource = isResource(item);
  return {
    url,
    timestamp: cdxTimestamp(fetchedAt),
    mime: mimeOf(resource ? item.contentType : responseType(item)),
    status: resource ? 0 : item.status,
    digest: `sha1:${payloadDigest}`,
  };
}

function responseType({ duplicateOf, rawHeaders }: Capture): string {
  if (duplicateOf) return REVISIT_MIME;
  const at = rawHeaders.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'content-type');
  return at < 0 ? '' : (rawHeaders[at + 1] ?? '');
}

/** Returns the content type without parameters; `unk` if there is none, as other CDXJ writers do. */
export function mimeOf(contentType: string): string {
  return contentType.split(';', 1)[0]!.trim().toLowerCase().replace(/\s+/g, '') || 'unk';
}
