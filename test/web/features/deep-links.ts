/** Chains: each page links to the next only, so the last is `depth` clicks away from the seed. */
import { anchorsTo, type FeatureContext, type FeaturePart, pageOf, range } from '../feature.ts';
import { html, type Place, type Responder, siteOf } from '../site.ts';

export interface DeepLinkTruth extends Place {
  /** Clicks from the seed, which is `/` with depth 0. */
  depth: number;
  title: string;
  uniqueWord: string;
}

/** One chain of `count` pages below its start. */
export function planDeepLinks(context: FeatureContext, count: number): FeaturePart<DeepLinkTruth> {
  const host = 'deep-0.test';
  const pages: Record<string, Responder> = {};
  const truth = range(count + 1).map((depth): DeepLinkTruth => {
    const document = context.document();
    const path = depth === 0 ? '/' : `/step/${depth}`;
    const anchors = depth < count ? anchorsTo([`/step/${depth + 1}`]) : [];
    pages[path] = () => html(pageOf(context, document, { anchors }));
    return { host, path, depth, title: document.title, uniqueWord: document.uniqueWord };
  });
  return { sites: [siteOf(host, pages)], entries: [{ host, path: '/' }], truth };
}
