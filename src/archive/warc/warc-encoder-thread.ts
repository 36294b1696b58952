/** The worker thread of `ThreadEncoder`: receives a batch and returns its encoded bytes. */
import { parentPort } from 'node:worker_threads';
import { ByteWriter, messageOf } from '../../base/mod.ts';
import {
  type EncoderReply,
  type EncoderRequest,
  encodeBatch,
  OUTPUT_BYTES,
  unpackCapture,
} from './warc-encoder.ts';

const port = parentPort;
if (!port) throw new Error('this file is a thread of the archive writer');

const output = new ByteWriter(OUTPUT_BYTES);

port.on('message', (request: EncoderRequest) => {
  const reply = (message: EncoderReply, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  try {
    const { bytes, entries } = encodeBatch(unpackCapture(request), request.compression, output);
    // The bytes are in a buffer that the next batch uses again, so they are copied.
    const owned = new Uint8Array(bytes);
    reply({ kind: 'encoded', batch: { bytes: owned, entries } }, [owned.buffer]);
  } catch (error) {
    reply({ kind: 'failed', message: messageOf(error) });
  }
});
