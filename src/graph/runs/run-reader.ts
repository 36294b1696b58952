/** Reads runs sequentially, one frame at a time; run-format.ts describes the bytes. */
import {
  ByteReader,
  CorruptError,
  checkSealHeader,
  type Directory,
  type RandomFile,
  SEAL_HEADER_BYTES,
} from '../../base/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import {
  type LocalUrl,
  nextLocalUrl,
  RUN_KIND,
  type RunKind,
  type RunName,
  type RunRecord,
  readFrame,
  URLS_PER_FRAME,
} from './run-format.ts';

export class RunFile {
  readonly writer: string;
  readonly urlCount: number;
  readonly recordCount: number;
  readonly #file: RandomFile;
  readonly #urlsAt: number;
  /** The offset of the first record. It is known after the URLs have been read or skipped. */
  #recordsAt = 0;

  constructor(directory: Directory, { name, writer }: Pick<RunName, 'name' | 'writer'>) {
    this.writer = writer;
    this.#file = directory.open(name);
    checkSealHeader(this.#file.read(0, SEAL_HEADER_BYTES), RUN_KIND, name);
    const { content, next } = this.#frame(SEAL_HEADER_BYTES, true);
    const counts = new ByteReader(content, name);
    this.urlCount = counts.u32();
    this.recordCount = counts.u32();
    this.#urlsAt = next;
  }

  *urls(): Generator<LocalUrl> {
    let position = this.#urlsAt;
    let last: LocalUrl | null = null;
    for (let count = 0; count < this.urlCount; count += URLS_PER_FRAME) {
      const { content, next } = this.#frame(position, true);
      position = next;
      for (const url of content.toString().split('\n')) {
        last = nextLocalUrl(last, url as CanonicalUrl);
        yield last;
      }
    }
    this.#recordsAt = position;
  }

  *records(withTexts: boolean): Generator<RunRecord> {
    let position = this.#positionOfRecords();
    let url = 0;
    for (let count = 0; count < this.recordCount; ) {
      const numbers = this.#frame(position, true);
      const texts = this.#frame(numbers.next, withTexts);
      position = texts.next;
      const reader = new ByteReader(numbers.content, this.#file.name);
      const lines = withTexts ? texts.content.toString().split('\n') : [];
      for (let line = 0; reader.remaining > 0; count++) {
        const record = readNumbers(reader, url);
        url = record.url;
        if (withTexts) record.texts = lines.slice(line, line + record.targets.length);
        line += record.targets.length;
        yield record;
      }
    }
  }

  close(): void {
    this.#file.close();
  }

  #positionOfRecords(): number {
    if (this.#recordsAt > 0) return this.#recordsAt;
    let position = this.#urlsAt;
    for (let count = 0; count < this.urlCount; count += URLS_PER_FRAME)
      position = this.#frame(position, false).next;
    this.#recordsAt = position;
    return position;
  }

  #frame(position: number, inflate: boolean): { content: Buffer; next: number } {
    const frame = readFrame(this.#file, position, inflate);
    if (!frame) throw new CorruptError(this.#file.name, position, 'a frame', 'the end of frames');
    return frame;
  }
}

function readNumbers(reader: ByteReader, last: number): RunRecord {
  const url = last + reader.varint();
  const kind = reader.varint() as RunKind;
  const fetchedAt = reader.varint();
  const epoch = reader.varint();
  const aliasOf = reader.varint() - 1;
  const targets: number[] = new Array(reader.varint());
  for (let at = 0; at < targets.length; at++) targets[at] = reader.varint();
  return { url, kind, fetchedAt, epoch, aliasOf, targets, texts: [] };
}
