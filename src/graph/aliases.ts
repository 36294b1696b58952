/** Which document each URL stands for, when URLs may be other names of other URLs. */

/** In `aliasOf`: a URL that is no alias. */
export const NO_ALIAS = -1;

const State = { fresh: 0, onPath: 1, resolved: 2 } as const;

/**
 * The document of every URL: the end of its chain of aliases. URLs that name each other in a circle
 * (they redirect in a loop, or took turns in having the same content) are one document, and the one
 * that comes before the others stands for it, so that the choice does not depend on where one enters.
 *
 * Linear: a chain is walked until it meets a URL that is resolved already.
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
