/**
 * Maps URLs to documents. It has only the URLs that are aliases or have aliases, so it is small enough for
 * every worker; all other URLs are documents without aliases.
 */
import { resolveAliases } from '../aliases.ts';
import { chooseRepresentatives } from '../web-tables.ts';
import { toUint32s, unpackArrays } from './packed-arrays.ts';
import type { TaskContext } from './task-context.ts';

export interface Alias {
  url: number;
  of: number;
}

export class DocumentMap {
  /**
   * `#urls` has the URLs in ascending order, `#documents` the document of each URL, and the third array 1 for
   * each URL that represents its document.
   */
  readonly #urls: Uint32Array;
  readonly #documents: Uint32Array;
  readonly #isRepresentative: Uint8Array;

  constructor(urls: Uint32Array, documents: Uint32Array, isRepresentative: Uint8Array) {
    this.#urls = urls;
    this.#documents = documents;
    this.#isRepresentative = isRepresentative;
  }

  static resolve(aliases: readonly Alias[], isPage: (url: number) => boolean): DocumentMap {
    const urls = Uint32Array.from(new Set(aliases.flatMap(({ url, of }) => [url, of]))).sort();
    const aliasOf = new Int32Array(urls.length).fill(-1);
    for (const { url, of } of aliases) aliasOf[placeIn(urls, url)] = placeIn(urls, of);
    const documents = resolveAliases(aliasOf, (a, b) => a < b);
    const isRepresentative = chooseRepresentatives(
      documents,
      Uint8Array.from(urls, (url) => Number(isPage(url))),
    );
    return new DocumentMap(
      urls,
      documents.map((place) => urls[place]!),
      isRepresentative,
    );
  }

  static async open(context: TaskContext): Promise<DocumentMap> {
    const [urls, documents, isRepresentative] = unpackArrays(
      await context.get('documents', 0, 'map'),
      'documents',
    );
    return new DocumentMap(toUint32s(urls!), toUint32s(documents!), isRepresentative!);
  }

  arrays(): ArrayBufferView[] {
    return [this.#urls, this.#documents, this.#isRepresentative];
  }

  isRepresentative(url: number, isPage: boolean): boolean {
    const place = placeIn(this.#urls, url);
    return this.#urls[place] === url ? this.#isRepresentative[place] === 1 : isPage;
  }

  /** Returns the document of each URL. `urls` is ascending. */
  documentsOf(urls: Uint32Array): Uint32Array {
    let place = 0;
    return urls.map((url) => {
      while (this.#urls[place]! < url) place++;
      return this.#urls[place] === url ? this.#documents[place]! : url;
    });
  }
}

/** Returns the index of the first number that is not below `value`. */
function placeIn(sorted: Uint32Array, value: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (sorted[middle]! < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
