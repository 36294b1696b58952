/**
 * Renders Markdown to HTML as package authors expect it: raw HTML is kept, bare URLs become links, headings
 * get ids, and the block between `---` lines at the start (front matter) is parsed as data. Raw HTML may
 * contain scripts; the server's Content-Security-Policy prevents them from running.
 */
import markdownIt, { type Token } from 'markdown-it';
import { sampleHtml } from './html.ts';

interface RenderedMarkdown {
  /**
   * The title in the front matter. If there is none, the text of the first heading; if there is no heading
   * either, the empty string.
   */
  title: string;
  /** The description in the front matter, or the empty string. */
  description: string;
  html: string;
}

/**
 * Matches URLs on this machine. Examples are full of `http://localhost:3000/`. The sample web is on loopback
 * too, so such a link would lead its crawler to other servers on the machine. Therefore such a URL never
 * becomes a link.
 */
const LOCAL = String.raw`\s*(?:https?:)?//(?:[\w.-]+\.)?(?:localhost|127(?:\.\d+){3}|\[::1\])\.?(?![\w.-])`;
const LOCAL_ADDRESS = new RegExp(`^${LOCAL}`, 'i');
const LOCAL_LINK = new RegExp(`\\bhref(?=\\s*=\\s*["']?${LOCAL})`, 'gi');

const engine = markdownIt({ html: true, linkify: true });
// Only `https://…` and `www.…` become links: many file names end like a domain (`README.md`, `index.ts`).
engine.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
const isSafeLink = engine.validateLink;
engine.validateLink = (href) => isSafeLink(href) && !LOCAL_ADDRESS.test(href);

/** Renders a Markdown file. `resolveLink` may replace the target of a link. */
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

export function withoutLocalLinks(markup: string): string {
  return markup.replace(LOCAL_LINK, 'data-href');
}

/**
 * Splits a document into front matter and body. Only `name: value` lines of the front matter are parsed;
 * other YAML is ignored.
 */
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

/** Gives each heading the same id as code hosts such as GitHub, and returns the text of the first heading. */
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

/** Returns the title of the front matter as the heading of the page, as site generators do. */
function titleHeading(title: string | undefined): string {
  return title === undefined ? '' : sampleHtml`<h1>${title}</h1>\n`.markup;
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
