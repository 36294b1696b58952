/**
 * The worker thread of `response-parser.ts`: parses responses, and encodes them for the archive and the
 * journal.
 */
import { workerData } from 'node:worker_threads';
import { encodeBatch, type WarcCompression } from '../../archive/mod.ts';
import { ByteWriter, serveTasks } from '../../base/mod.ts';
import { encodeFrames, encodePieces, encodeRecord } from '../../journal/mod.ts';
import { openReading } from '../../page/mod.ts';
import { rulesOfPlan } from '../../url/mod.ts';
import { TopicClassifier } from '../topics/mod.ts';
import { Arena } from './arena.ts';
import { type FetchedResponse, type ReadingOptions, readResponse } from './read-response.ts';
import type {
  EncodeItem,
  ParserInput,
  ParserOutput,
  ParserThreadOptions,
  Written,
} from './response-parser.ts';

const arena = new Arena();
const output = new ByteWriter(1024 * 1024);

await serveTasks<ParserInput, ParserOutput>(async () => {
  const { urlRules: plan, maxBodyBytes, reading, topic: data } = workerData as ParserThreadOptions;
  const urlRules = rulesOfPlan(plan);
  const topic = data && { topic: new TopicClassifier(data) };
  const optionsFor = await openReading(reading);
  return {
    handle(input, isPlain) {
      if (input.kind === 'encode')
        return { kind: 'encoded', written: encode(input.items, input.compression) };
      return parse(input.answer, {
        ...optionsFor(input.answer.url, isPlain),
        urlRules,
        maxBodyBytes,
        ...topic,
      });
    },
    transferOf: (result) => (result.kind === 'encoded' ? buffersOf(result.written) : []),
  };
});

function parse(answer: FetchedResponse, options: ReadingOptions): ParserOutput {
  const { reading, page } = readResponse(answer, options);
  if (reading.kind === 'failed' || !page) return { kind: 'parsed', reading, line: null };
  const { url, fetchedAt, isNew } = answer;
  const { digest } = reading;
  const pieces = encodePieces({ kind: 'page', url, fetchedAt, digest, ...(isNew && { isNew }), page });
  return { kind: 'parsed', reading, line: arena.hold(...pieces) };
}

function encode(items: readonly EncodeItem[], compression: WarcCompression): Written {
  const records: Uint8Array[] = [];
  for (const { entry } of items) {
    if (entry instanceof Uint8Array) records.push(entry);
    else if (entry) records.push(encodeRecord(entry));
  }
  const captures = items.map(({ capture }) => capture);
  const { bytes, entries } = encodeBatch(captures, compression, output);
  // The bytes are copied, because the next batch reuses the buffer.
  const archive = { bytes: new Uint8Array(bytes), entries };
  const journal = Array.from(encodeFrames(records), (frame) => ({
    payload: new Uint8Array(frame.payload),
    records: frame.records,
  }));
  return { archive, journal };
}

function buffersOf({ archive, journal }: Written): ArrayBuffer[] {
  return [archive.bytes.buffer, ...journal.map(({ payload }) => payload.buffer)];
}
