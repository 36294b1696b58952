/** Divides titles into the name of the page and the name of the site. */

interface TitleParts {
  /**
   * The name of the site with its separator. It is in `before` if it comes before the name of the page, and in
   * `after` if it comes after it; the other field is empty.
   */
  before: string;
  name: string;
  after: string;
}

/** Matches the last separator of a title, such as ` | `, ` - ` or ` :: `. The name of the site usually follows it. */
const LAST_SEPARATOR = /\s(?:[|·•»–—-]+|::)\s(?!.*\s(?:[|·•»–—-]+|::)\s)/u;
const FIRST_SEPARATOR = /:\s|\s(?:[|·•»–—-]+|::)\s/u;
/** Matches brackets at the end of a title, as in `Map (Acme SE 17)`. */
const BRACKETS = /\s\((?:[^()]|\([^()]*\))*\)$/u;
const DOCUMENTATION = /\b(?:documentation|docs|manual|reference|wiki|handbook|user(?:['’]s)? guide)\b/i;
/** Matches the name of a publication, or a version, in the part before the first separator of a title. */
const PUBLICATION = /\b(?:documentation|docs|manual|reference|wiki|handbook|guide|help|tutorial)\b|\d\.\d/i;
/** Matches the first two words of a title. One of them names the site in `Acme Server 2.1 - Start`. */
const FIRST_WORDS = /^\S+(?:\s+\S+)?/;
/** The maximum length of the name of a site in a title. */
const LONGEST = 60;
/** Labels of host names that do not name a site, such as `www`. */
const GENERIC = new Set([
  'www',
  'docs',
  'doc',
  'wiki',
  'blog',
  'com',
  'org',
  'net',
  'info',
  'test',
  'localhost',
]);
const SHORTEST_LABEL = 3;

/** Finds the name of the site in a title. In `Sorting — Acme 1.5 documentation` it comes after the name of the page. */
export function titleParts(title: string, host: string): TitleParts {
  const labels = siteLabels(host);
  const names = (part: string) => labels.some((label) => folded(part).includes(label));
  const end = LAST_SEPARATOR.exec(title)?.index ?? -1;
  const endsWith = (test: (part: string) => boolean) => end > 0 && isSite(title.slice(end), test);
  const atEnd = { before: '', name: title.slice(0, end), after: title.slice(end) };
  if (endsWith((part) => DOCUMENTATION.test(part))) return atEnd;
  const separator = FIRST_SEPARATOR.exec(title);
  const start = separator ? separator.index + separator[0].length : 0;
  const first = title.slice(0, separator?.index ?? 0);
  const atStart = { before: title.slice(0, start), name: title.slice(start), after: '' };
  const isPublication = PUBLICATION.test(first) && names(FIRST_WORDS.exec(first)![0]);
  if (first.length <= LONGEST && start < title.length && isPublication) return atStart;
  if (endsWith(names)) return atEnd;
  const brackets = BRACKETS.exec(title)?.index ?? -1;
  if (brackets > 0 && isSite(title.slice(brackets), names))
    return { before: '', name: title.slice(0, brackets), after: title.slice(brackets) };
  if (start > 0 && start < title.length && labels.includes(folded(first))) return atStart;
  return { before: '', name: title, after: '' };
}

/** Matches the number of a section or chapter at the start of a title: `8.14. JSON Types`, `Chapter 3. Choosing`. */
const SECTION_NUMBER = /^(?:(?:chapter|section|appendix|part)\s+)?(?:\d+|[A-Z])(?:\.\d+)*\.\s+/iu;

/** Returns the range of a title that names the page: without the name of the site and without a section number. */
export function subjectRange(title: string, host: string): { start: number; end: number } {
  const { before, name } = titleParts(title, host);
  const number = SECTION_NUMBER.exec(name)?.[0] ?? '';
  const start = before.length + (number.length < name.length ? number.length : 0);
  return { start, end: before.length + name.length };
}

function isSite(part: string, test: (part: string) => boolean): boolean {
  return part.length <= LONGEST && test(part);
}

function siteLabels(host: string): string[] {
  const labels = host.replace(/:\d+$/, '').split('.').map(folded);
  return labels.filter((label) => label.length >= SHORTEST_LABEL && !GENERIC.has(label));
}

function folded(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
