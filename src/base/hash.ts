/**
 * MurmurHash3 x86_128 (Austin Appleby, public domain); the first 64 of its 128 bits are used. It needs only
 * 32-bit multiplications, so it is fast in plain JavaScript. Files on disk contain these hashes, so the
 * function must never change.
 */
import { hash } from 'node:crypto';

const C1 = 0x239b961b;
const C2 = 0xab0e9789;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93;

let scratch = Buffer.alloc(4096);

/** Returns a 64-bit hash of the UTF-8 bytes of `text`, as an unsigned bigint. */
export function hash64(text: string, seed = 0): bigint {
  const [low, high] = hashLanes(text, seed);
  return (BigInt(high) << 32n) | BigInt(low);
}

/** Returns the hash of `hash64` as two unsigned 32-bit numbers, the low half first. */
export function hashLanes(text: string, seed = 0): [number, number] {
  if (text.length * 3 > scratch.length) scratch = Buffer.alloc(text.length * 3);
  return murmur(scratch, scratch.write(text), seed);
}

/** Returns a SHA-1 digest as WARC files write it: `sha1:` and base 32. */
export function sha1Base32(bytes: Uint8Array): string {
  return base32(hash('sha1', bytes, 'buffer'));
}

function murmur(bytes: Buffer, length: number, seed: number): [number, number] {
  let h1 = seed;
  let h2 = seed;
  let h3 = seed;
  let h4 = seed;
  const blocks = length & ~15;
  for (let at = 0; at < blocks; at += 16) {
    h1 ^= scramble(bytes.readInt32LE(at), C1, 15, C2);
    h1 = (Math.imul(rotl(h1, 19) + h2, 5) + 0x561ccd1b) | 0;
    h2 ^= scramble(bytes.readInt32LE(at + 4), C2, 16, C3);
    h2 = (Math.imul(rotl(h2, 17) + h3, 5) + 0x0bcaa747) | 0;
    h3 ^= scramble(bytes.readInt32LE(at + 8), C3, 17, C4);
    h3 = (Math.imul(rotl(h3, 15) + h4, 5) + 0x96cd1c35) | 0;
    h4 ^= scramble(bytes.readInt32LE(at + 12), C4, 18, C1);
    h4 = (Math.imul(rotl(h4, 13) + h1, 5) + 0x32ac3b17) | 0;
  }
  const tail = [0, 0, 0, 0];
  for (let at = blocks; at < length; at++) {
    const offset = at - blocks;
    tail[offset >> 2]! |= bytes[at]! << (8 * (offset & 3));
  }
  h1 ^= scramble(tail[0]!, C1, 15, C2);
  h2 ^= scramble(tail[1]!, C2, 16, C3);
  h3 ^= scramble(tail[2]!, C3, 17, C4);
  h4 ^= scramble(tail[3]!, C4, 18, C1);

  h1 ^= length;
  h2 ^= length;
  h3 ^= length;
  h4 ^= length;
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = (h2 + h1) | 0;
  h3 = (h3 + h1) | 0;
  h4 = (h4 + h1) | 0;
  h1 = avalanche(h1);
  h2 = avalanche(h2);
  h3 = avalanche(h3);
  h4 = avalanche(h4);
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = (h2 + h1) | 0;
  return [h1 >>> 0, h2 >>> 0];
}

function scramble(word: number, first: number, turn: number, second: number): number {
  return Math.imul(rotl(Math.imul(word, first), turn), second);
}

function rotl(word: number, turn: number): number {
  return (word << turn) | (word >>> (32 - turn));
}

function avalanche(word: number): number {
  let h = word;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function base32(bytes: Uint8Array): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  let out = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      out += alphabet[(buffer >> bits) & 31];
    }
  }
  return bits > 0 ? out + alphabet[(buffer << (5 - bits)) & 31] : out;
}
