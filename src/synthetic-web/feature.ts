/**
 * A feature is one kind of misbehaviour of sites. It adds sites to the synthetic web and records the ground
 * truth about them. It never changes plain pages.
 *
 * The `entries` of a feature become seeds. Unless the feature is about discovery, every page that a crawler
 * should find is linked from them.
 */
import { Random } from '../base/mod.ts';
import type { Tuning } from './options.ts';
import type { Prose } from './prose.ts';
import { mix, Purpose } from './seeded.ts';
import { htmlResponse, type Place, plannedSiteOf, type Responder, type Site } from './site.ts';

export interface FeaturePart<Truth> {
  sites: Site[];
  entries: Place[];
  truth: Truth[];
}

export interface FeatureContext {
  seed: number;
  agent: string;
  tuning: Tuning;
  prose: Prose;
  document(): Document;
}

/**
 * A document of the synthetic web: its title, a unique word by which a search must find it, and the number
 * that seeds its text.
 */
export interface Document {
  number: number;
  title: string;
  uniqueWord: string;
}

export interface Anchor {
  href: string;
  text: string;
  rel?: string;
}

export interface PageMarkup {
  /** The elements of the head, except charset and title. */
  head?: string;
  anchors?: readonly Anchor[];
  /** The paragraphs that replace the generated ones. */
  paragraphs?: readonly string[];
  /** The elements at the end of the body. */
  foot?: string;
}

export interface PlannedPage<Truth> {
  path: string;
  respond: Responder;
  truth: Truth;
}

export function createContext(
  seed: number,
  agent: string,
  tuning: Tuning,
  prose: Prose,
  firstDocument: number,
): FeatureContext {
  let next = firstDocument;
  const document = () => {
    const number = next++;
    return { number, title: prose.title(number), uniqueWord: prose.uniqueWord(number) };
  };
  return { seed, agent, tuning, prose, document };
}

export function randomFor(context: FeatureContext, number: number): Random {
  return new Random(mix(context.seed, number, Purpose.document));
}

/** Returns five paragraphs. The first contains the unique word of the document. */
export function paragraphsOf(context: FeatureContext, document: Document): string[] {
  const random = randomFor(context, document.number);
  const paragraphs = Array.from({ length: 5 }, () => context.prose.paragraph(random));
  return [`Filed under ${document.uniqueWord}. ${paragraphs[0]}`, ...paragraphs.slice(1)];
}

/** Returns a complete page of valid HTML. Titles and paragraphs are plain text. */
export function featurePageOf(context: FeatureContext, document: Document, markup: PageMarkup = {}): string {
  const paragraphs = markup.paragraphs ?? paragraphsOf(context, document);
  const title = escapeMarkup(document.title);
  const anchors = (markup.anchors ?? []).map(anchorHtml);
  return [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
    `<title>${title}</title>${markup.head ? `\n${markup.head}` : ''}`,
    `</head>\n<body>\n<h1>${title}</h1>`,
    ...paragraphs.map((text) => `<p>${escapeMarkup(text)}</p>`),
    ...(anchors.length === 0 ? [] : [`<ul>\n${anchors.join('\n')}\n</ul>`]),
    ...(markup.foot ? [markup.foot] : []),
    '</body>\n</html>\n',
  ].join('\n');
}

/** Returns links to the given paths. The text of a link is made of the last words of its path. */
export function anchorsTo(hrefs: readonly string[]): Anchor[] {
  return hrefs.map((href) => ({
    href,
    text:
      href
        .split(/[^A-Za-z0-9]+/)
        .filter(Boolean)
        .slice(-3)
        .join(' ') || 'home',
  }));
}

/** Returns a site whose `/` links to all its pages. */
export function listedSite(context: FeatureContext, host: string, pages: Record<string, Responder>): Site {
  const document = context.document();
  const anchors = anchorsTo(Object.keys(pages));
  return plannedSiteOf(host, {
    ...pages,
    '/': () => htmlResponse(featurePageOf(context, document, { anchors })),
  });
}

/**
 * Distributes pages over hosts `name-0.test`, `name-1.test` and so on, with `perHost` pages each. The page
 * `/` of each host links to its pages.
 */
export function dealPages<Truth>(
  context: FeatureContext,
  name: string,
  perHost: number,
  pages: readonly PlannedPage<Truth>[],
): FeaturePart<Truth & Place> {
  const part: FeaturePart<Truth & Place> = { sites: [], entries: [], truth: [] };
  for (let from = 0; from < pages.length; from += perHost) {
    const host = `${name}-${from / perHost}.test`;
    const group = pages.slice(from, from + perHost);
    const responders = group.map(({ path, respond }): [string, Responder] => [path, respond]);
    part.sites.push(listedSite(context, host, Object.fromEntries(responders)));
    part.entries.push({ host, path: '/' });
    part.truth.push(...group.map(({ path, truth }) => ({ host, path, ...truth })));
  }
  return part;
}

export function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function anchorHtml({ href, text, rel }: Anchor): string {
  const relation = rel ? ` rel="${escapeMarkup(rel)}"` : '';
  return `<li><a href="${escapeMarkup(href)}"${relation}>${escapeMarkup(text)}</a></li>`;
}
