/** Resolves aliases: finds the document to which each URL belongs. */

/** Marks a URL in `aliasOf` that is not an alias. */
export const NO_ALIAS = -1;

const State = { fresh: 0, onPath: 1, resolved: 2 } as const;

/**
 * Returns the document of every URL: the end of its chain of aliases. URLs can be aliases of each other in a
 * cycle, for example if they redirect in a loop. The URLs of a cycle are one document. The first URL by
 * `isBefore` represents it, so the result does not depend on the order of URLs.
 *
 * The time is linear, because a chain is followed only until it reaches a URL that is already resolved.
 */
export function resolveAliases(
  aliasOf: ArrayLike<number>,
  isBefore: (a: number, b: number) => boolean,
): Uint32Array {
  const documents = new Uint32Array(aliasOf.length);
  const states = new Uint8Array(aliasOf.length);
  for (let url = 0; url < aliasOf.length; url++) {
    const path: number[] = [];
    let end = url;
    while (states[end] === State.fresh && aliasOf[end] !== NO_ALIAS) {
      states[end] = State.onPath;
      path.push(end);
      end = aliasOf[end]!;
    }
    let document = end;
    if (states[end] === State.resolved) document = documents[end]!;
    else if (states[end] === State.onPath) document = firstOf(path.slice(path.indexOf(end)), isBefore);
    for (const passed of [...path, end]) {
      documents[passed] = document;
      states[passed] = State.resolved;
    }
  }
  return documents;
}

function firstOf(urls: readonly number[], isBefore: (a: number, b: number) => boolean): number {
  return urls.reduce((first, url) => (isBefore(url, first) ? url : first));
}
