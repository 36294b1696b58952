/**
 * Finds all URLs of a document: redirects, duplicates, URL variants and mirrors. An alias may lead to the document
 * through another alias.
 */
import type { CanonicalUrl } from '../../url/mod.ts';
import type { CrawlKnowledgeStore, IdentityVerdict } from '../state/mod.ts';

/** Maximum length of a chain of aliases; the rest of a longer chain is ignored. */
const MAX_STEPS = 20;
const MAX_NAMES = 1000;

/**
 * Returns the document that `url` is an alias of, following a chain of aliases; returns `url` itself if it is not an
 * alias.
 */
export async function documentOf(store: CrawlKnowledgeStore, url: CanonicalUrl): Promise<CanonicalUrl> {
  let at = url;
  for (let step = 0; step < MAX_STEPS; step++) {
    const next = (await store.verdictOf(at))?.of;
    if (!next || next === url) break;
    at = next;
  }
  return at;
}

/** Returns the aliases of a document, direct ones first. */
export async function otherNames(
  store: CrawlKnowledgeStore,
  document: CanonicalUrl,
): Promise<IdentityVerdict[]> {
  const names = new Map<CanonicalUrl, IdentityVerdict>();
  const queue = [document];
  for (let url = queue.shift(); url && names.size < MAX_NAMES; url = queue.shift()) {
    for (const verdict of await store.namesOf(url)) {
      if (verdict.url === document || names.has(verdict.url)) continue;
      names.set(verdict.url, verdict);
      queue.push(verdict.url);
    }
  }
  return [...names.values()];
}
