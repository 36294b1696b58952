/** All the URLs of a document: redirects, copies, variants and mirrors lead to it, directly or through another. */
import type { CanonicalUrl } from '../url/mod.ts';
import type { FindingsStore, Verdict } from './findings.ts';

/** Chains are short; one that is not ends here. */
const MAX_STEPS = 20;
const MAX_NAMES = 1000;

/** The document that `url` is a name of: its own, or the end of the chain that leads on from it. */
export function documentOf(store: FindingsStore, url: CanonicalUrl): CanonicalUrl {
  let at = url;
  for (let step = 0; step < MAX_STEPS; step++) {
    const next = store.verdictOf(at)?.of;
    if (!next || next === url) break;
    at = next;
  }
  return at;
}

/** The other names of a document, nearest first. */
export function otherNames(store: FindingsStore, document: CanonicalUrl): Verdict[] {
  const names = new Map<CanonicalUrl, Verdict>();
  const queue = [document];
  for (let url = queue.shift(); url && names.size < MAX_NAMES; url = queue.shift()) {
    for (const verdict of store.namesOf(url)) {
      if (verdict.url === document || names.has(verdict.url)) continue;
      names.set(verdict.url, verdict);
      queue.push(verdict.url);
    }
  }
  return [...names.values()];
}
