/** Writes the file of phrases; see phrases-format.ts for the bytes. */
import { ByteWriter, type Directory, writeSealed } from '../base/mod.ts';
import type { Origin } from './origin.ts';
import { PHRASES_KIND, PHRASES_NAME, type Phrase } from './phrases-format.ts';

/** `phrases` maps keys to phrases. */
export function writePhrases(
  directory: Directory,
  origin: Origin,
  phrases: ReadonlyMap<string, Phrase>,
): void {
  writeSealed(directory, PHRASES_NAME, PHRASES_KIND, encodePhrases(origin, phrases));
}

export function encodePhrases(origin: Origin, phrases: ReadonlyMap<string, Phrase>): Buffer {
  const order = [...phrases].map(([key, phrase]) => ({ key: Buffer.from(key), text: key, phrase }));
  order.sort((a, b) => Buffer.compare(a.key, b.key));
  const body = new ByteWriter(12 + 16 * order.length);
  body.u32(origin.generation);
  body.u32(origin.docs);
  body.u32(order.length);
  for (const { phrase } of order) body.f32(phrase.weight);
  const keys = new ByteWriter();
  const texts = new ByteWriter();
  const urls = new ByteWriter();
  for (const { key } of order) endOf(key, keys, body);
  for (const { text, phrase } of order) endOf(phrase.text === text ? '' : phrase.text, texts, body);
  for (const { phrase } of order) endOf(phrase.url, urls, body);
  for (const part of [keys, texts, urls]) body.raw(part.view());
  return body.view();
}

function endOf(value: string | Uint8Array, to: ByteWriter, ends: ByteWriter): void {
  to.raw(typeof value === 'string' ? Buffer.from(value) : value);
  ends.u32(to.length);
}
