/**
 * The names of the objects of a batch of captures. A batch is what a crawl node commits in one transaction. It has
 * at most one WARC object and one journal object:
 *
 *   archive/NODE-00000012.warc.gz
 *   journal/NODE-00000012.journal
 *
 * An object that is replaced, for example by a purge, gets another name, which the row of its batch has (`nextObjectName`).
 *
 * No other process has the name of the node, so two nodes never write the same object. An object belongs to the
 * archive or the journal if and only if the table `gyre.capture_batches` has its batch.
 */
import type { WarcCompression } from '../../archive/mod.ts';
import { type BlobStore, systemCode } from '../../base/mod.ts';

/** The number of an object that replaced another one, before the extension of its name. */
const REPLACED = /(?:\.p(\d+))?(\.warc\.(?:gz|zst)|\.journal)$/;

/** A batch of a node. The numbers of a node's batches increase, and begin with 2: 1 is the mark of an empty store. */
interface CaptureBatch {
  node: string;
  batch: number;
}

/** Returns the name of the WARC object of a batch, without the prefix of its blob store. */
export function warcObject(batch: CaptureBatch, compression: WarcCompression): string {
  return `${startOf(batch)}.warc.${compression === 'gzip' ? 'gz' : 'zst'}`;
}

/** Returns the name of the journal object of a batch, without the prefix of its blob store. */
export function journalObject(batch: CaptureBatch): string {
  return `${startOf(batch)}.journal`;
}

/** Returns the name of the object that replaces another one of its batch: `a.journal`, `a.p1.journal`, `a.p2.journal`. */
export function nextObjectName(name: string): string {
  return name.replace(REPLACED, (_, times = '0', extension) => `.p${Number(times) + 1}${extension}`);
}

/** Stores an object, in place of one that an interrupted replacement has left. */
export async function putAgain(blobs: BlobStore, name: string, bytes: Uint8Array): Promise<void> {
  try {
    await blobs.delete(name);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
  await blobs.put(name, bytes);
}

function startOf({ node, batch }: CaptureBatch): string {
  return `${node}-${String(batch).padStart(8, '0')}`;
}
