/**
 * Renders what a standing query found as a digest: as plain text, as an HTML page, or as a mail with both (RFC 5322 and
 * MIME), which any program such as `sendmail -t` can send. Digests are in English.
 */
import { feedText } from '../atom-feed.ts';
import { html } from '../html.ts';
import type { FeedPage } from './standing-tools.ts';

type DigestFormat = 'text' | 'html' | 'mail';

interface Digest {
  query: string;
  /** Oldest first; not empty. */
  pages: readonly FeedPage[];
}

interface MailHead {
  /** Mail addresses; empty for none. */
  from: string;
  to: string;
  now: number;
}

export function renderDigest(format: DigestFormat, digest: Digest, head: MailHead): string {
  const clean = { query: oneLine(digest.query), pages: digest.pages.map(cleaned) };
  if (format === 'text') return textOf(clean);
  if (format === 'html') return htmlOf(clean);
  return mailOf(clean, head);
}

function textOf(digest: Digest): string {
  const pages = digest.pages.map(
    (page, at) =>
      `${at + 1}. ${page.title || page.url}\n   ${page.url}\n   ${page.change}, ${minute(page.foundAt)}\n   ${page.snippet}\n`,
  );
  return `${subjectOf(digest)}\n\n${pages.join('\n')}`;
}

function htmlOf(digest: Digest): string {
  const items = digest.pages.map(
    (page) => html`<li><p><a href="${page.url}">${page.title || page.url}</a><br>
${page.change}, ${minute(page.foundAt)}<br>
${page.snippet}</p></li>
`,
  );
  return String(html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${subjectOf(digest)}</title></head>
<body>
<h1>${subjectOf(digest)}</h1>
<ol>
${items}</ol>
</body>
</html>
`);
}

function mailOf(digest: Digest, { from, to, now }: MailHead): string {
  const id = digest.pages.at(-1)!.id;
  const boundary = `gyre-${id}`;
  const part = (type: string, text: string) =>
    `--${boundary}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64Lines(text)}\r\n`;
  const lines = [
    ...(from === '' ? [] : [`From: ${from}`]),
    ...(to === '' ? [] : [`To: ${to}`]),
    `Subject: ${encodedWords(subjectOf(digest))}`,
    `Date: ${new Date(now).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}@gyre.invalid>`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
  ];
  const parts = [part('text/plain', textOf(digest)), part('text/html', htmlOf(digest))];
  return `${lines.join('\r\n')}\r\n\r\n${parts.join('')}--${boundary}--\r\n`;
}

function subjectOf({ query, pages }: Digest): string {
  const count = (wanted: FeedPage['change']) => pages.filter(({ change }) => change === wanted).length;
  const parts = (['new', 'changed'] as const).flatMap((change) => {
    const number = count(change);
    return number === 0 ? [] : [`${number} ${change} ${number === 1 ? 'page' : 'pages'}`];
  });
  return `${parts.join(' and ')} for ${query}`;
}

function cleaned(page: FeedPage): FeedPage {
  return { ...page, title: oneLine(page.title), snippet: oneLine(page.snippet) };
}

function oneLine(text: string): string {
  return feedText(text).replace(/\s+/g, ' ').trim();
}

function minute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function base64Lines(text: string): string {
  return Buffer.from(text)
    .toString('base64')
    .replace(/.{76}(?=.)/g, '$&\r\n');
}

/** Encodes a header value as RFC 2047 requires, unless it is short ASCII text. */
function encodedWords(text: string): string {
  if (/^[\x20-\x7e]{1,60}$/.test(text)) return text;
  const words: string[] = [];
  let piece = '';
  for (const character of [...text, null]) {
    if (character !== null && Buffer.byteLength(piece + character) <= 42) piece += character;
    else {
      words.push(`=?utf-8?B?${Buffer.from(piece).toString('base64')}?=`);
      piece = character ?? '';
    }
  }
  return words.join('\r\n ');
}
