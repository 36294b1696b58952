/**
 * A string as JSON has it, in bytes, by a kernel (`kernels/assembly/json-text.ts`): JSON.stringify looks at every
 * character of a page's text, and what it makes is one more string that has to become bytes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface EscapeCalls {
  escapeText(input: number, length: number, output: number): number;
}

const KI = 1024;
const MAX_INPUT = 512 * KI;
/** A UTF-16 unit takes no more in UTF-8 … */
const BYTES_PER_UNIT = 3;
/** … and a byte no more in JSON. */
const BYTES_PER_ESCAPE = 6;
const INPUT_AT = KI;
const OUTPUT_AT = INPUT_AT + MAX_INPUT;
const PAGES = Math.ceil((OUTPUT_AT + BYTES_PER_ESCAPE * MAX_INPUT) / (64 * KI));
const QUOTE = 0x22;

let memory: Buffer | null = null;
let calls: EscapeCalls;

/** The bytes of `JSON.stringify(text)`; they may lie in the kernel's memory, and are then valid until the next. */
export function jsonText(text: string): Buffer {
  // A surrogate without its other half has no form in UTF-8; JSON.stringify writes it as an escape.
  if (text.length * BYTES_PER_UNIT > MAX_INPUT || !text.isWellFormed())
    return Buffer.from(JSON.stringify(text));
  memory ??= load();
  const length = memory.write(text, INPUT_AT);
  const end = OUTPUT_AT + 1 + calls.escapeText(INPUT_AT, length, OUTPUT_AT + 1);
  memory[OUTPUT_AT] = QUOTE;
  memory[end] = QUOTE;
  return memory.subarray(OUTPUT_AT, end + 1);
}

/** Once per thread, when it is first needed. */
function load(): Buffer {
  const shared = new WebAssembly.Memory({ initial: PAGES + 1, maximum: 256 });
  const module = new WebAssembly.Module(readFileSync(join(import.meta.dirname, 'kernels', 'json-text.wasm')));
  calls = new WebAssembly.Instance(module, { env: { memory: shared } }).exports as unknown as EscapeCalls;
  return Buffer.from(shared.buffer);
}
