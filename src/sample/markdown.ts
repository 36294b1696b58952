/**
 * Markdown to HTML, the way package authors expect it: with their raw HTML, with bare addresses as
 * links, with headings that can be linked to, and with the block between `---` lines at the start
 * (front matter) taken as data. Raw HTML may hold anything; the server's Content-Security-Policy is
 * what keeps it from running.
 */
import markdownIt, { type Token } from 'markdown-it';
import { html } from './html.ts';

export interface RenderedMarkdown {
  /** From the front matter, else of the first heading, else empty. */
  title: string;
  /** From the front matter, else empty. */
  description: string;
  html: string;
}

/**
 * Examples are full of `http://localhost:3000/`. As a link that would lead a crawler of this web, which is on
 * loopback too, to whatever else runs on the reader's machine; so such an address is never a link.
 */
const LOCAL = String.raw`\s*(?:https?:)?//(?:[\w.-]+\.)?(?:localhost|127(?:\.\d+){3}|\[::1\])\.?(?![\w.-])`;
const LOCAL_ADDRESS = new RegExp(`^${LOCAL}`, 'i');
const LOCAL_LINK = new RegExp(`\\bhref(?=\\s*=\\s*["']?${LOCAL})`, 'gi');

const engine = markdownIt({ html: true, linkify: true });
// Only `https://…` and `www.…`: many a file name ends like a domain (`README.md`, `index.ts`).
engine.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
const isSafeLink = engine.validateLink;
engine.validateLink = (href) => isSafeLink(href) && !LOCAL_ADDRESS.test(href);

/** `resolveLink` may replace the target of a link that was written in Markdown. */
export function renderMarkdown(source: string, resolveLink: (href: string) => string): RenderedMarkdown {
  const { fields, body } = splitFrontMatter(source.replace(/^\uFEFF/, ''));
  const tokens = engine.parse(body, {});
  const firstHeading = addHeadingIds(tokens);
  for (const token of tokens) {
    for (const part of [token, ...(token.children ?? [])]) retarget(part, resolveLink);
  }
  return {
    title: fields.get('title') ?? firstHeading,
    description: fields.get('description') ?? '',
    html: titleHeading(fields.get('title')) + engine.renderer.render(tokens, engine.options, {}),
  };
}

/** Raw HTML whose links to this machine lead nowhere. */
export function withoutLocalLinks(markup: string): string {
  return markup.replace(LOCAL_LINK, 'data-href');
}

/** Reads `name: value` lines alone; whatever else YAML can say is passed over. */
function splitFrontMatter(source: string): { fields: Map<string, string>; body: string } {
  const fields = new Map<string, string>();
  const block = /^---\r?\n((?:.*\r?\n)*?)---[ \t]*(?:\r?\n|$)/.exec(source);
  if (!block) return { fields, body: source };
  for (const line of block[1]!.split('\n')) {
    const field = /^(\w+):\s*["']?(.*?)["']?\s*$/.exec(line);
    if (field && field[2] !== '') fields.set(field[1]!, field[2]!);
  }
  return { fields, body: source.slice(block[0].length) };
}

/** Gives each heading the id that code hosts give it, and returns the text of the first. */
function addHeadingIds(tokens: Token[]): string {
  const used = new Map<string, number>();
  let first = '';
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const text = plainText(tokens[at + 1]!);
    first ||= text;
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const count = used.get(slug) ?? 0;
    used.set(slug, count + 1);
    token.attrSet('id', count === 0 ? slug : `${slug}-${count}`);
  }
  return first;
}

/** A title in the front matter stands in for the heading, as in the site generators that read it. */
function titleHeading(title: string | undefined): string {
  return title === undefined ? '' : html`<h1>${title}</h1>\n`.markup;
}

function plainText(inline: Token): string {
  const shown = (inline.children ?? []).filter(({ type }) => type === 'text' || type === 'code_inline');
  return shown
    .map((token) => token.content)
    .join('')
    .trim();
}

function retarget(token: Token, resolveLink: (href: string) => string): void {
  if (token.type === 'html_inline' || token.type === 'html_block') {
    token.content = withoutLocalLinks(token.content);
  }
  const href = token.type === 'link_open' ? token.attrGet('href') : null;
  if (href !== null) token.attrSet('href', resolveLink(String(href)));
}
