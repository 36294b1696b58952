/**
 * Runs of plain text in a page: most of its bytes, which are copied as they are. A run is made of plain bytes and of
 * single spaces between them; it ends before markup, a reference, other white space, a control character, or a byte that
 * begins a character of several bytes.
 *
 * A kernel looks for the end (`kernels/assembly/text-runs.ts`), in a copy of the page: copying costs a fiftieth of looking at each
 * byte. One page at a time; a page that is longer than the room is read byte by byte.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface RunCalls {
  endOfRun(from: number, end: number): number;
}

const KI = 1024;
const MAX_SOURCE = 1024 * KI;
const SOURCE_AT = KI;
/** Where a group of bytes that begins inside the source may end. */
const PAGES = Math.ceil((SOURCE_AT + MAX_SOURCE + KI) / (64 * KI));

const SPACE = 0x20;
const LESS_THAN = 0x3c;
const AMPERSAND = 0x26;
/** The least byte that begins a character of several bytes. */
export const WIDE = 0xc0;

/** What a byte of markup is to the text. */
export const ByteKind = { plain: 0, space: 1, wide: 2, special: 3 } as const;
export const BYTE_KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0 || byte === LESS_THAN || byte === AMPERSAND) return ByteKind.special;
  if (byte <= SPACE) return ByteKind.space;
  return byte < WIDE ? ByteKind.plain : ByteKind.wide;
});

let memory: Buffer | null = null;
let calls: RunCalls;
/** Whose copy the kernel has; its bytes must not change meanwhile. */
let copied: Buffer | null = null;

/** From now on runs are looked for in this page, until there is another. */
export function useRuns(source: Buffer): void {
  copied = null;
  if (source.length > MAX_SOURCE) return;
  memory ??= load();
  memory.set(source, SOURCE_AT);
  copied = source;
}

/** Where the run of plain text ends that `from` is in; the byte before it is plain or part of a character. */
export function endOfRun(source: Buffer, from: number, end: number): number {
  if (source !== copied) return endByBytes(source, from, end);
  return calls.endOfRun(SOURCE_AT + from, SOURCE_AT + end) - SOURCE_AT;
}

function endByBytes(source: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end) {
    const kind = BYTE_KINDS[source[at]!]!;
    if (kind === ByteKind.plain) at++;
    else if (
      kind === ByteKind.space &&
      source[at] === SPACE &&
      at + 1 < end &&
      BYTE_KINDS[source[at + 1]!] === ByteKind.plain
    )
      at += 2;
    else break;
  }
  return at;
}

/** Once per thread, when it is first needed. */
function load(): Buffer {
  const shared = new WebAssembly.Memory({ initial: PAGES, maximum: 256 });
  const module = new WebAssembly.Module(readFileSync(join(import.meta.dirname, 'kernels', 'text-runs.wasm')));
  calls = new WebAssembly.Instance(module, { env: { memory: shared } }).exports as unknown as RunCalls;
  return Buffer.from(shared.buffer);
}
