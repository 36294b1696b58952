/**
 * A feature with pairs of hosts that have the same paths. Some are mirrors, some only look like mirrors.
 *
 *   exact      the same bytes
 *     near       the same text, except that every page contains the name of its host
 *   overlap    every third page is the same, the others differ; not a mirror
 *   namesake   the same paths with other texts; not a mirror
 *
 * Both hosts of a pair link to all their pages. The second host also links to one page that the first does
 * not have.
 */
import {
  anchorsTo,
  type Document,
  type FeatureContext,
  type FeaturePart,
  featurePageOf,
  paragraphsOf,
  range,
} from '../feature.ts';
import { htmlResponse, plannedSiteOf, type Responder, type Site } from '../site.ts';

const KINDS = ['exact', 'near', 'overlap', 'namesake'] as const;
const PAGES = 40;
/** In a pair of hosts of the kind `overlap`, every third page is the same on both hosts. */
const COMMON_EVERY = 3;

export interface MirrorTruth {
  kind: (typeof KINDS)[number];
  hosts: [string, string];
  isMirror: boolean;
  /** The paths of the pages that both hosts have. */
  paths: string[];
  only: { path: string; title: string; uniqueWord: string };
  /** The unique word of each page in `paths`, as on the first host. */
  uniqueWords: string[];
}

/** Plans `count` pairs of hosts that cycle through the four kinds. */
export function planMirrors(context: FeatureContext, count: number): FeaturePart<MirrorTruth> {
  const part: FeaturePart<MirrorTruth> = { sites: [], entries: [], truth: [] };
  for (const number of range(count)) {
    const kind = KINDS[number % KINDS.length]!;
    const hosts: [string, string] = [`mirrored-${number}.test`, `mirrored-${number}-copy.test`];
    const paths = range(PAGES).map((page) => `/page/${page}`);
    const documents = paths.map(() => context.document());
    const isMirror = kind === 'exact' || kind === 'near';
    const copies = documents.map((document, at) =>
      isMirror || (kind === 'overlap' && at % COMMON_EVERY === 0) ? document : context.document(),
    );
    const [home, extra] = [context.document(), context.document()];
    const only = { path: '/only-here', title: extra.title, uniqueWord: extra.uniqueWord };
    const say = kind === 'near' || kind === 'namesake';
    part.sites.push(
      pairedSite(context, hosts[0], home, say, zip(paths, documents)),
      pairedSite(context, hosts[1], home, say, [...zip(paths, copies), [only.path, extra]]),
    );
    part.entries.push(...hosts.map((host) => ({ host, path: '/' })));
    const uniqueWords = documents.map(({ uniqueWord }) => uniqueWord);
    part.truth.push({ kind, hosts, isMirror, paths, only, uniqueWords });
  }
  return part;
}

function pairedSite(
  context: FeatureContext,
  host: string,
  home: Document,
  saysWhere: boolean,
  pages: readonly [string, Document][],
): Site {
  const say = saysWhere ? [`You are reading this on ${host}.`] : [];
  const respond = (document: Document, hrefs: readonly string[]): Responder => {
    const paragraphs = [...paragraphsOf(context, document), ...say];
    const page = featurePageOf(context, document, { paragraphs, anchors: anchorsTo(hrefs) });
    return () => htmlResponse(page);
  };
  const responders = pages.map(([path, document]): [string, Responder] => [path, respond(document, [])]);
  const paths = pages.map(([path]) => path);
  return plannedSiteOf(host, { ...Object.fromEntries(responders), '/': respond(home, paths) });
}

function zip(paths: readonly string[], documents: readonly Document[]): [string, Document][] {
  return paths.map((path, at) => [path, documents[at]!]);
}
