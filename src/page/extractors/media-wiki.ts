/**
 * Pages of MediaWiki, the software of Wikipedia and of thousands of other wikis; an example of an extractor.
 *
 * What a general reader cannot know: titles end in the name of the wiki, every heading ends in a
 * link `[edit]`, and each article links to its own history, talk page and endless special pages,
 * which say nothing new and lead a crawl astray.
 */
import type { Extractor } from '../extractor.ts';
import { headingLevel, type Link, type Page, type Range } from '../page.ts';
import type { PageInput } from '../page-input.ts';
import { joined } from '../ranges.ts';

const OPENING_BYTES = 8_192;
const GENERATOR = /<meta name="generator" content="MediaWiki /i;
/** ` - Wikipedia`, ` — My Wiki`: what follows the last dash. */
const SITE_NAME = /^(.{2,}?) [-–—] [^-–—]{1,80}$/;
const EDIT_LINK = /\[[^[\]\n]{1,40}\]$/;
/** Views of a page other than reading it, and pages that the software makes up. */
const MACHINERY =
  /[?&](?:action|oldid|diff|printable|veaction|redlink|returnto)=|[/=](?:Special|Spezial|Sp%C3%A9cial|Especial|Speciale|Speciaal):/i;

export const mediaWiki: Extractor = {
  name: 'media-wiki',

  matches({ contentType, body }: PageInput): boolean {
    if (!contentType.startsWith('text/html')) return false;
    return GENERATOR.test(Buffer.from(body.subarray(0, OPENING_BYTES)).toString('latin1'));
  },

  extract(_input: PageInput, parse: () => Page | null): Page | null {
    const page = parse();
    if (!page) return null;
    const boilerplate = joined([...(page.boilerplate ?? []), ...editLinks(page)]);
    return {
      ...page,
      title: SITE_NAME.exec(page.title)?.[1] ?? page.title,
      links: page.links.filter(isArticle),
      ...(boilerplate.length > 0 && { boilerplate }),
    };
  },
};

function isArticle({ url }: Link): boolean {
  return !MACHINERY.test(url);
}

/** The stretches at the ends of headings that are no part of them. */
function editLinks({ text, marks }: Page): Range[] {
  return marks.flatMap(({ start, end, kind }): Range[] => {
    const edit = headingLevel(kind) > 0 ? EDIT_LINK.exec(text.slice(start, end)) : null;
    return edit && edit.index > 0 ? [[end - edit[0].length, end]] : [];
  });
}
