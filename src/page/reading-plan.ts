/**
 * The operator's choices about reading pages, as plain data that can be sent to another thread. Crawl, import
 * and rebuild read pages by the same plan, so that the same bytes always give the same page.
 */
import type { CanonicalUrl } from '../url/mod.ts';
import { collectionFinder, type CollectionSeed } from './collections.ts';
import { loadExtractors, noteBrokenRules, noteExtractors } from './extractors/mod.ts';
import type { ParseOptions } from './parse-page.ts';
import { RuleFiles, recordFinder } from './rules/mod.ts';

export interface ReadingPlan {
  /** The paths of extractor modules: plug-ins that read certain pages better than the general rules do. */
  extractors: readonly string[];
  collections: readonly CollectionSeed[];
  /** The paths of files with record rules. */
  recordRules: readonly string[];
}

/**
 * Loads the extractors and collections that the plan names, in a parser thread. Returns a function that returns
 * the options for reading one page. `isPlain` is true if reading the page with extractors has failed before.
 */
export async function openReading(
  plan: ReadingPlan,
): Promise<(url: CanonicalUrl, isPlain: boolean) => ParseOptions> {
  const extractors = await loadExtractors(plan.extractors);
  const collectionsOf = collectionFinder(plan.collections);
  const { recordRules } = plan;
  const findRecords = recordRules.length > 0 && recordFinder(new RuleFiles(recordRules, noteBrokenRules));
  return (url, isPlain) => ({
    collectionsOf,
    ...(!isPlain && { extractors, report: noteExtractors(url), ...(findRecords && { findRecords }) }),
  });
}
