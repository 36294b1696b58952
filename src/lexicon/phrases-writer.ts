/** Writes the phrases of anchor texts; see phrases-format.ts for the bytes. */
import { ByteWriter, type Directory, writeSealed } from '../base/mod.ts';
import type { Origin } from './origin.ts';
import { type LinkedPhrase, PHRASES_KIND, PHRASES_NAME } from './phrases-format.ts';

/** Writes the file of anchor texts. `phrases` maps the key of each phrase to the phrase. */
export function writePhrases(
  directory: Directory,
  origin: Origin,
  phrases: ReadonlyMap<string, LinkedPhrase>,
): void {
  writeSealed(directory, PHRASES_NAME, PHRASES_KIND, encodePhrases(origin, phrases));
}

function encodePhrases(origin: Origin, phrases: ReadonlyMap<string, LinkedPhrase>): Buffer {
  const order = Array.from(phrases, ([key, phrase]) => ({ key: Buffer.from(key), text: key, phrase }));
  order.sort((a, b) => Buffer.compare(a.key, b.key));
  const body = new ByteWriter(12 + 12 * order.length);
  body.u32(origin.generation);
  body.u32(origin.docs);
  body.u32(order.length);
  for (const { phrase } of order) body.f32(phrase.popularity);
  const keys = new ByteWriter();
  const texts = new ByteWriter();
  for (const { key } of order) endOf(key, keys, body);
  for (const { text, phrase } of order)
    endOf(Buffer.from(phrase.text === text ? '' : phrase.text), texts, body);
  for (const part of [keys, texts]) body.raw(part.view());
  return body.view();
}

function endOf(value: Uint8Array, to: ByteWriter, ends: ByteWriter): void {
  to.raw(value);
  ends.u32(to.length);
}
