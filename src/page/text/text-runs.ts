/**
 * Finds runs of plain text in the source of a page. They are most of its bytes and are copied unchanged. A
 * run consists of plain bytes and single spaces between them. It ends before markup, a reference, other white
 * space, a control character, or a byte that begins a character of several bytes.
 *
 * A WebAssembly kernel (`kernels/assembly/text-runs.ts`) finds the end of a run in a copy of the page. Making
 * the copy takes a fiftieth of the time of examining each byte. The kernel has memory for one page; a page
 * longer than MAX_SOURCE is scanned byte by byte.
 */
import { loadKernel } from '../../base/mod.ts';

interface RunCalls {
  endOfRun(from: number, end: number): number;
}

const KI = 1024;
const MAX_SOURCE = 1024 * KI;
const SOURCE_AT = KI;
/**
 * The memory of the kernel in pages of 64 KiB. There is free space after the source, because the kernel reads
 * groups of bytes and may read beyond the end of the source.
 */
const PAGES = Math.ceil((SOURCE_AT + MAX_SOURCE + KI) / (64 * KI));

const SPACE = 0x20;
const LESS_THAN = 0x3c;
const AMPERSAND = 0x26;
/** The smallest byte that begins a character of several bytes. */
export const WIDE = 0xc0;

/** The role of a byte in the text of a page. */
export const ByteKind = { plain: 0, space: 1, wide: 2, special: 3 } as const;
export const BYTE_KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0 || byte === LESS_THAN || byte === AMPERSAND) return ByteKind.special;
  if (byte <= SPACE) return ByteKind.space;
  return byte < WIDE ? ByteKind.plain : ByteKind.wide;
});

let memory: Buffer | null = null;
let calls: RunCalls;
/**
 * The page that is in the memory of the kernel. Its bytes must not change until the next call of `useRuns`.
 */
let copied: Buffer | null = null;

/** Copies a page into the memory of the kernel. The kernel searches in this page until the next call. */
export function useRuns(source: Buffer): void {
  copied = null;
  if (source.length > MAX_SOURCE) return;
  memory ??= load();
  memory.set(source, SOURCE_AT);
  copied = source;
}

/** Returns the end of the run of plain text at `from`. The byte before `from` is plain or part of a character. */
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

/** Loads the kernel, once per thread, at its first use. */
function load(): Buffer {
  const shared = new WebAssembly.Memory({ initial: PAGES, maximum: 256 });
  calls = loadKernel(new URL('../kernels/text-runs.wasm', import.meta.url), shared);
  return Buffer.from(shared.buffer);
}
