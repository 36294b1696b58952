/** Writes anchor lists, term by term; anchor-lists-format.ts describes the bytes. */
import { ByteWriter, type Directory, SEAL_HEADER_BYTES, writeSealed } from '../../base/mod.ts';
import { DictionaryWriter } from '../dictionary/mod.ts';
import type { PostingsWriter } from '../postings/mod.ts';
import { ANCHOR_LISTS_KIND, encodeAnchorFooter } from './anchor-lists-format.ts';

export class AnchorListsWriter {
  readonly #body = new ByteWriter(64 * 1024);
  readonly #dictionary = new DictionaryWriter();

  /**
   * Adds the postings of `term`. Terms must be added in ascending order. Terms of anchor texts have no forms.
   */
  addTerm(term: string, list: PostingsWriter): void {
    list.finish();
    const { docCount, postingsBytes, positionBytes } = list;
    this.#dictionary.add({
      term,
      docCount,
      postingsAt: SEAL_HEADER_BYTES + this.#body.length,
      postingsBytes,
      positionBytes,
      forms: null,
    });
    list.copyPostings(this.#body);
    list.copyPositions(this.#body);
  }

  /**
   * Writes the file and makes it durable. `votes` has, for each document, the total weight of its anchor texts.
   */
  finish(directory: Directory, name: string, votes: Uint16Array): void {
    const body = this.#body;
    const dictionaryAt = SEAL_HEADER_BYTES + body.length;
    body.raw(this.#dictionary.blocks());
    const samplesAt = SEAL_HEADER_BYTES + body.length;
    this.#dictionary.writeSamples(body);
    body.raw(new Uint8Array(votes.buffer, votes.byteOffset, votes.byteLength));
    const counts = { docCount: votes.length, termCount: this.#dictionary.termCount };
    encodeAnchorFooter({ dictionaryAt, samplesAt, ...counts }, body);
    writeSealed(directory, name, ANCHOR_LISTS_KIND, body.view());
  }
}
