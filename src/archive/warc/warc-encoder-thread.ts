/** The worker thread of `ThreadEncoder`: receives a batch and returns its encoded bytes. */
import { ByteWriter, serveChannel } from '../../base/mod.ts';
import {
  type EncodedBatch,
  type EncoderRequest,
  encodeBatch,
  OUTPUT_BYTES,
  unpackCapture,
} from './warc-encoder.ts';

const output = new ByteWriter(OUTPUT_BYTES);

serveChannel<EncoderRequest, EncodedBatch>({
  handle(request) {
    const { bytes, entries } = encodeBatch(unpackCapture(request), request.compression, output);
    // Copies the bytes, because the next batch overwrites the buffer that contains them.
    return { bytes: new Uint8Array(bytes), entries };
  },
  transferOf: ({ bytes }) => [bytes.buffer as ArrayBuffer],
});
