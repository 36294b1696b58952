/** Renders Atom feeds (RFC 4287), and prepares foreign text for them. */
import { type Html, html } from './html.ts';
import { plain } from './shown-text.ts';

interface AtomEntry {
  /** A URI that identifies the entry. */
  id: string;
  url: string;
  title: string;
  summary: string;
  updatedAt: string;
  publishedAt?: string;
  category?: string;
}

export interface AtomFeed {
  id: string;
  title: string;
  /** The name of the engine. */
  author: string;
  /** The URL of the same list as a page, and the URL of this feed. */
  pageUrl: string;
  feedUrl: string;
  updatedAt: string;
  entries: readonly AtomEntry[];
}

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';

export function renderAtom({ id, title, author, pageUrl, feedUrl, updatedAt, entries }: AtomFeed): string {
  return String(html`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>${title}</title>
<id>${id}</id>
<link rel="alternate" type="text/html" href="${pageUrl}"/>
<link rel="self" type="application/atom+xml" href="${feedUrl}"/>
<updated>${updatedAt}</updated>
<author><name>${author}</name></author>
${entries.map(renderEntry)}</feed>
`);
}

function renderEntry({ id, url, title, summary, updatedAt, publishedAt, category }: AtomEntry): Html {
  return html`<entry>
<title>${title || url}</title>
<id>${id}</id>
<link rel="alternate" href="${url}"/>
<updated>${updatedAt}</updated>
${
  publishedAt === undefined
    ? null
    : html`<published>${publishedAt}</published>
`
}${
  category === undefined
    ? null
    : html`<category term="${category}"/>
`
}<summary>${summary}</summary>
</entry>
`;
}

/**
 * Prepares text for a feed: removes characters that XML 1.0 cannot contain, and characters that change the
 * direction of the text around them.
 */
export function feedText(text: string): string {
  return plain(text)
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');
}
