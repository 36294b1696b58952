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

interface RunCounts {
  urlCount: number;
  recordCount: number;
}

interface RunContent extends RunCounts {
  /** The URLs, sorted by `compareLocality`. */
  urls: Iterable<string>;
  /** The records in the order of their URLs. */
  records: Iterable<RunRecord>;
}

/** Writes a run under a temporary name and renames it, so that its file is complete or absent. */
export function writeRun(directory: Directory, { name }: Pick<RunName, 'name'>, content: RunContent): void {
  const writer = new RunWriter(directory, name, content);
  try {
    for (const url of content.urls) writer.addUrl(url);
    for (const record of content.records) writer.addRecord(record);
  } catch (error) {
    writer.abandon();
    throw error;
  }
  writer.finish();
}

/** Writes one run: all URLs in order, then all records in the order of their URLs. */
export class RunWriter {
  readonly #directory: Directory;
  readonly #name: string;
  readonly #file: AppendFile;
  #lines: string[] = [];
  readonly #numbers = new ByteWriter();
  #texts: string[] = [];
  #bytes = 0;
  #lastUrl = 0;

  constructor(directory: Directory, name: string, { urlCount, recordCount }: RunCounts) {
    this.#directory = directory;
    this.#name = name;
    this.#file = directory.append(partOf(name), 0);
    this.#file.write(sealHeader(RUN_KIND));
    const counts = new ByteWriter(8);
    counts.u32(urlCount);
    counts.u32(recordCount);
    writeFrame(this.#file, counts.view());
  }

  addUrl(url: string): void {
    if (this.#lines.push(url) === URLS_PER_FRAME) this.#flushUrls();
  }

  addRecord(record: RunRecord): void {
    this.#flushUrls();
    const before = this.#numbers.length;
    writeNumbers(this.#numbers, record, this.#lastUrl);
    this.#lastUrl = record.url;
    for (const text of record.texts) this.#texts.push(text);
    const textBytes = record.texts.reduce((sum, text) => sum + text.length, 0);
    this.#bytes += this.#numbers.length - before + textBytes;
    if (this.#bytes >= RECORD_FRAME_BYTES) this.#flushRecords();
  }

  finish(): void {
    this.#flushUrls();
    if (this.#numbers.length > 0) this.#flushRecords();
    this.#file.write(Buffer.alloc(8));
    this.#file.close();
    this.#directory.rename(partOf(this.#name), this.#name);
  }

  /** Removes the unfinished file. */
  abandon(): void {
    this.#file.close();
    this.#directory.remove(partOf(this.#name));
  }

  #flushUrls(): void {
    if (this.#lines.length > 0) writeFrame(this.#file, Buffer.from(this.#lines.join('\n')));
    this.#lines = [];
  }

  #flushRecords(): void {
    writeFrame(this.#file, this.#numbers.view());
    writeFrame(this.#file, Buffer.from(this.#texts.join('\n')));
    this.#numbers.clear();
    this.#texts = [];
    this.#bytes = 0;
  }
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
