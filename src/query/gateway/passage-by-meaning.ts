/**
 * Chooses the snippets of pages that were found by meaning and have none of the query's words.
 *
 * The vector of a page does not tell which of its sentences is close to the query. Therefore the shard returns
 * several snippets, which begin with different sentences of the embedded text. The snippet whose vector is closest
 * to the query is shown.
 */
import type { ShownDocument } from '../shard/mod.ts';
import type { TermQuery } from '../terms/mod.ts';

/** Computes the vector of a text in the languages of the query; null if there is no model. */
export type EmbedText = (text: string) => Int8Array | null;

/**
 * The number of pages of a list whose snippet is chosen by meaning. Embedding a text takes a few milliseconds, so
 * the other pages get their first snippet.
 */
const MAX_PAGES = 3;
/** The number of characters of a snippet that are embedded. */
const EMBEDDED_LETTERS = 120;

export function withChosenPassages(
  documents: readonly ShownDocument[],
  { meaning }: Pick<TermQuery, 'meaning'>,
  embed: EmbedText,
): ShownDocument[] {
  let pages = 0;
  return documents.map((document) => {
    const { passages } = document;
    if (!meaning || passages.length === 0 || pages >= MAX_PAGES) return document;
    pages++;
    const snippet = closestOf(passages, meaning.vector, embed);
    return snippet === null ? document : { ...document, snippet, isPassage: false };
  });
}

function closestOf(passages: readonly string[], query: Int8Array, embed: EmbedText): string | null {
  let closest: string | null = null;
  let most = Number.NEGATIVE_INFINITY;
  for (const passage of passages) {
    const vector = embed(passage.slice(0, EMBEDDED_LETTERS));
    const product = vector ? dotProduct(vector, query) : Number.NEGATIVE_INFINITY;
    if (product <= most) continue;
    most = product;
    closest = passage;
  }
  return closest;
}

function dotProduct(a: Int8Array, b: Int8Array): number {
  return a.reduce((sum, number, at) => sum + number * b[at]!, 0);
}
