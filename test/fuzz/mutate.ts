/** Makes a new input from inputs that exist, by a few random changes of bytes, numbers, words and lengths. */
import type { Random } from '../../src/base/mod.ts';

interface MutationSources {
  /** The inputs that are changed and joined. */
  corpus: readonly Uint8Array[];
  /** Texts of the format. */
  words: readonly string[];
  maxBytes: number;
}

const MAX_CHANGES = 8;
const MAX_REPEATS = 400;

/** Bytes that end, escape or open something in most formats. */
const SPECIAL_BYTES = [
  0x00, 0x01, 0x0a, 0x0d, 0x20, 0x22, 0x25, 0x26, 0x27, 0x2f, 0x3c, 0x5c, 0x7f, 0x80, 0xff,
];
const NUMBERS =
  '0 1 -1 -0 2 127 128 255 256 32767 65535 65536 2147483647 2147483648 4294967295 4294967296 9007199254740993 1e309 NaN 0x10 00 99999999999999999999'.split(
    ' ',
  );
const HARD_TEXTS = [
  ...[
    '\u0000',
    '\ufeff',
    '\ud83d\ude00',
    '\u202e',
    '\u00ad',
    '\u2028',
    '\u0130',
    'ß',
    'e\u0301\u0301\u0301',
    '\r\n\r\n',
    '\r\n ',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '%00',
    '%c3',
    '%',
    '../../',
    '..\\',
    'file:///etc/passwd',
    'javascript:alert(1)',
  ],
  ...[
    '<script>',
    '"><img src=x onerror=x>',
    '&#x110000;',
    '&#0;',
    "' OR 1=1",
    '\\u0000',
    '\\ud800',
    '[[[[[[[[',
    '{{{{{{{{',
    '((((((((',
  ],
];
const EXOTIC_BYTES: readonly Uint8Array[] = [
  Buffer.from([0xc0, 0x80]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0xf4, 0x90, 0x80, 0x80]),
  Buffer.from([0xff, 0xfe]),
  Buffer.from([0xfe, 0xff]),
  Buffer.from([0x1b, 0x24, 0x42]),
  Buffer.from([0x1f, 0x8b, 0x08]),
  Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
];

type Change = (bytes: Buffer, random: Random, sources: MutationSources) => Buffer;

const CHANGES: readonly Change[] = [
  function flipBit(bytes, random) {
    return withByte(bytes, random, (byte) => byte ^ (1 << random.below(8)));
  },
  function setByte(bytes, random) {
    return withByte(bytes, random, () => random.pick(SPECIAL_BYTES));
  },
  function addToByte(bytes, random) {
    return withByte(bytes, random, (byte) => byte + random.between(-4, 4));
  },
  function setInteger(bytes, random) {
    if (bytes.length < 4) return bytes;
    const copy = Buffer.from(bytes);
    const value = Number(random.pick(['0', '1', '255', '65535', '2147483647', '4294967295']));
    const at = random.below(bytes.length - 3);
    if (random.chance(0.5)) copy.writeUInt32LE(value, at);
    else copy.writeUInt32BE(value, at);
    return copy;
  },
  function removeRange(bytes, random) {
    const [start, end] = rangeIn(bytes, random);
    return joined(bytes.subarray(0, start), bytes.subarray(end));
  },
  function truncate(bytes, random) {
    return bytes.subarray(0, random.below(bytes.length + 1));
  },
  function repeatRange(bytes, random) {
    const [start, end] = rangeIn(bytes, random);
    const times = random.chance(0.8) ? random.between(2, 5) : random.between(6, MAX_REPEATS);
    const repeated = Array.from({ length: times }, () => bytes.subarray(start, end));
    return joined(bytes.subarray(0, start), ...repeated, bytes.subarray(end));
  },
  function moveRange(bytes, random) {
    const [start, end] = rangeIn(bytes, random);
    return insertedAt(
      joined(bytes.subarray(0, start), bytes.subarray(end)),
      random,
      bytes.subarray(start, end),
    );
  },
  function insertRandom(bytes, random) {
    const piece = Buffer.from(Array.from({ length: random.between(1, 12) }, () => random.below(256)));
    return insertedAt(bytes, random, piece);
  },
  function insertExotic(bytes, random) {
    return insertedAt(bytes, random, random.pick(EXOTIC_BYTES));
  },
  function insertText(bytes, random) {
    return insertedAt(bytes, random, Buffer.from(random.pick(HARD_TEXTS)));
  },
  function changeNumber(bytes, random) {
    const found = [...bytes.toString('latin1').matchAll(/\d+/g)];
    if (found.length === 0) return bytes;
    const { 0: old, index } = random.pick(found);
    const number = Buffer.from(random.pick(NUMBERS));
    return joined(bytes.subarray(0, index), number, bytes.subarray(index + old.length));
  },
  insertWord,
  insertWord,
  function replaceWithWord(bytes, random, sources) {
    if (sources.words.length === 0) return bytes;
    const [start, end] = rangeIn(bytes, random, 24);
    return joined(bytes.subarray(0, start), Buffer.from(random.pick(sources.words)), bytes.subarray(end));
  },
  function splice(bytes, random, { corpus }) {
    const other = Buffer.from(random.pick(corpus));
    const [start, end] = rangeIn(other, random);
    return insertedAt(bytes, random, other.subarray(start, end));
  },
  function crossOver(bytes, random, { corpus }) {
    const other = Buffer.from(random.pick(corpus));
    const share = random.next();
    return joined(
      bytes.subarray(0, Math.floor(bytes.length * share)),
      other.subarray(Math.floor(other.length * share)),
    );
  },
];

function insertWord(bytes: Buffer, random: Random, { words }: MutationSources): Buffer {
  return words.length === 0 ? bytes : insertedAt(bytes, random, Buffer.from(random.pick(words)));
}

/** Returns a changed copy of an input of the corpus. The same state of `random` gives the same bytes. */
export function mutated(random: Random, sources: MutationSources): Buffer<ArrayBuffer> {
  let bytes = Buffer.from(random.pick(sources.corpus));
  const changes = 1 + random.below(random.chance(0.5) ? 2 : MAX_CHANGES);
  for (let count = 0; count < changes; count++) {
    bytes = Buffer.from(random.pick(CHANGES)(bytes, random, sources).subarray(0, sources.maxBytes));
  }
  return bytes;
}

function joined(...pieces: readonly Uint8Array[]): Buffer {
  return Buffer.concat(pieces);
}

function insertedAt(bytes: Buffer, random: Random, piece: Uint8Array): Buffer {
  const at = random.below(bytes.length + 1);
  return joined(bytes.subarray(0, at), piece, bytes.subarray(at));
}

function withByte(bytes: Buffer, random: Random, change: (byte: number) => number): Buffer {
  if (bytes.length === 0) return bytes;
  const copy = Buffer.from(bytes);
  const at = random.below(copy.length);
  copy[at] = change(copy[at]!);
  return copy;
}

function rangeIn(bytes: Buffer, random: Random, longest = 256): [start: number, end: number] {
  const start = random.below(bytes.length + 1);
  return [start, Math.min(bytes.length, start + 1 + random.below(longest))];
}
