/**
 * A feature with chains of pages. Each page links only to the next, so the last page is `depth` links away
 * from the seed.
 */
import { anchorsTo, type FeatureContext, type FeaturePart, featurePageOf, range } from '../feature.ts';
import { htmlResponse, type Place, plannedSiteOf, type Responder } from '../site.ts';

export interface DeepLinkTruth extends Place {
  /** The number of links between the seed, which is `/`, and the page. */
  depth: number;
  title: string;
  uniqueWord: string;
}

/** Plans one host with a chain of `count` pages. */
export function planDeepLinks(context: FeatureContext, count: number): FeaturePart<DeepLinkTruth> {
  const host = 'deep-0.test';
  const pages: Record<string, Responder> = {};
  const truth = range(count + 1).map((depth): DeepLinkTruth => {
    const document = context.document();
    const path = depth === 0 ? '/' : `/step/${depth}`;
    const anchors = depth < count ? anchorsTo([`/step/${depth + 1}`]) : [];
    pages[path] = () => htmlResponse(featurePageOf(context, document, { anchors }));
    return { host, path, depth, title: document.title, uniqueWord: document.uniqueWord };
  });
  return { sites: [plannedSiteOf(host, pages)], entries: [{ host, path: '/' }], truth };
}
