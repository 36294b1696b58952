/** Divides titles into the name of the page and the name of the site, which results show in grey. */

interface TitleParts {
  /** The name of the site with its separator, before or after the name of the page; empty if there is none. */
  before: string;
  name: string;
  after: string;
}

/** ` | `, ` - `, ` :: ` and the like; the last one in a title is before the name of the site. */
const LAST_SEPARATOR = /\s(?:[|·•»–—-]+|::)\s(?!.*\s(?:[|·•»–—-]+|::)\s)/u;
const FIRST_SEPARATOR = /:\s|\s(?:[|·•»–—-]+|::)\s/u;
/** `Map (Acme SE 17)`, at the end. */
const BRACKETS = /\s\((?:[^()]|\([^()]*\))*\)$/u;
const DOCUMENTATION = /\b(?:documentation|docs|manual|reference|wiki|handbook|user(?:['’]s)? guide)\b/i;
/** Longer parts are not the name of a site. */
const LONGEST = 60;
/** Labels of hosts that name no site. */
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

/** `Sorting — Acme 1.5 documentation` has the site after the page. The line below the title names the site, too. */
export function titleParts(title: string, host: string): TitleParts {
  const labels = siteLabels(host);
  const names = (part: string) => labels.some((label) => folded(part).includes(label));
  const end = LAST_SEPARATOR.exec(title)?.index ?? -1;
  if (end > 0 && isSite(title.slice(end), (part) => names(part) || DOCUMENTATION.test(part)))
    return { before: '', name: title.slice(0, end), after: title.slice(end) };
  const brackets = BRACKETS.exec(title)?.index ?? -1;
  if (brackets > 0 && isSite(title.slice(brackets), names))
    return { before: '', name: title.slice(0, brackets), after: title.slice(brackets) };
  const separator = FIRST_SEPARATOR.exec(title);
  const start = separator ? separator.index + separator[0].length : 0;
  if (start > 0 && start < title.length && labels.includes(folded(title.slice(0, separator!.index))))
    return { before: title.slice(0, start), name: title.slice(start), after: '' };
  return { before: '', name: title, after: '' };
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
