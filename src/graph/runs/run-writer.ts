/** Writes runs; run-format.ts describes the bytes. */
import { type AppendFile, ByteWriter, type Directory, partOf, sealHeader } from '../../base/mod.ts';
import {
  RECORD_FRAME_BYTES,
  RUN_KIND,
  type RunName,
  type RunRecord,
  URLS_PER_FRAME,
  writeFrame,
} from './run-format.ts';

interface RunContent {
  urlCount: number;
  recordCount: number;
  /** The URLs, sorted by `compareLocality`. */
  urls: Iterable<string>;
  /** The records in the order of their URLs. */
  records: Iterable<RunRecord>;
}

/** Writes a run under a temporary name and renames it, so that its file is complete or absent. */
export function writeRun(directory: Directory, { name }: RunName, content: RunContent): void {
  const part = partOf(name);
  const file = directory.append(part, 0);
  try {
    file.write(sealHeader(RUN_KIND));
    const counts = new ByteWriter(8);
    counts.u32(content.urlCount);
    counts.u32(content.recordCount);
    writeFrame(file, counts.view());
    writeUrls(file, content.urls);
    writeRecords(file, content.records);
    file.write(Buffer.alloc(8));
  } catch (error) {
    file.close();
    directory.remove(part);
    throw error;
  }
  file.close();
  directory.rename(part, name);
}

function writeUrls(file: AppendFile, urls: Iterable<string>): void {
  let lines: string[] = [];
  const flush = () => {
    if (lines.length > 0) writeFrame(file, Buffer.from(lines.join('\n')));
    lines = [];
  };
  for (const url of urls) {
    lines.push(url);
    if (lines.length === URLS_PER_FRAME) flush();
  }
  flush();
}

function writeRecords(file: AppendFile, records: Iterable<RunRecord>): void {
  const numbers = new ByteWriter();
  let texts: string[] = [];
  let bytes = 0;
  let last = 0;
  const flush = () => {
    writeFrame(file, numbers.view());
    writeFrame(file, Buffer.from(texts.join('\n')));
    numbers.clear();
    texts = [];
    bytes = 0;
  };
  for (const record of records) {
    const before = numbers.length;
    writeNumbers(numbers, record, last);
    last = record.url;
    texts.push(...record.texts);
    bytes += numbers.length - before + record.texts.reduce((sum, text) => sum + text.length, 0);
    if (bytes >= RECORD_FRAME_BYTES) flush();
  }
  if (numbers.length > 0) flush();
}

function writeNumbers(numbers: ByteWriter, record: RunRecord, last: number): void {
  numbers.varint(record.url - last);
  numbers.varint(record.kind);
  numbers.varint(record.fetchedAt);
  numbers.varint(record.epoch);
  numbers.varint(record.aliasOf + 1);
  numbers.varint(record.targets.length);
  for (const target of record.targets) numbers.varint(target);
}
