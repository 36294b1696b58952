/**
 * Finds damage in the journal object of a batch. The transaction that commits a batch stores the length and the SHA-256 of
 * its object. Batches of older programs have no digest; the checksums in the file itself are checked always.
 */
import { createHash } from 'node:crypto';
import { messageOf } from '../../base/mod.ts';
import { readFrames } from '../../journal/mod.ts';

/** The length and the digest of a journal object. Without a digest, the length may be that of an earlier object. */
interface ExpectedObject {
  journalBytes: number;
  digest: string | null;
}

/** Returns the digest of a journal object: its SHA-256 in hexadecimal digits. */
export function journalDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns what was expected and what came, as a part of a sentence; null if the object is whole. */
export function findObjectDamage(
  bytes: Buffer,
  name: string,
  { journalBytes, digest }: ExpectedObject,
): string | null {
  const got = digest === null ? null : journalDigest(bytes);
  if (got !== digest)
    return `expected ${journalBytes} bytes with SHA-256 ${digest}, got ${bytes.length} bytes with SHA-256 ${got}`;
  try {
    for (const _ of readFrames(bytes, name));
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
