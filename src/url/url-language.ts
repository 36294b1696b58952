/**
 * Finds the language that a URL declares in its first path segment (`/de/…`, `/de-at/…`), in a parameter
 * (`?lang=de`), or in the first label of its host (`de.example.org`), in this order. Most URLs declare none.
 */
import type { CanonicalUrl } from './canonical.ts';
import { hostOf, pathOf, registrableDomain } from './parts.ts';

/** The language codes of ISO 639-1. Other two-letter path segments, such as `/go/`, are not a language. */
const CODES = new Set(
  (
    'aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ' +
    'ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik ' +
    'io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml ' +
    'mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd ' +
    'se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi ' +
    'vo wa wo xh yi yo za zh zu'
  ).split(' '),
);
const TAG = /^([a-z]{2})(?:[-_][a-z]{2,4})?$/i;
/** The languages of countries whose codes are used in place of a language code. */
const LANGUAGE_OF_COUNTRY: Readonly<Record<string, string>> = {
  tw: 'zh',
  cn: 'zh',
  jp: 'ja',
  kr: 'ko',
  ua: 'uk',
  cz: 'cs',
  gr: 'el',
  dk: 'da',
};
const PARAMETER = /(?:^|&)(?:lang|language|locale|hl)=([^&]*)/;
/** Matches a code at the end of a file name, before its ending. */
const SUFFIX = /(?<=[^_-])[_-]([a-z]{2})((?:\.[a-z]{1,5})?)$/i;

/**
 * Returns all languages that a URL may declare: in any segment of its path, as an ending of its file name
 * (`page.de.html`, `page.html.de`), in a parameter, or in its host.
 */
export function languagesIn(url: CanonicalUrl): string[] {
  const [path = ''] = pathOf(url).split('?', 1);
  const segments = path.split('/').slice(1);
  const endings = segments.pop()?.split('.').slice(1) ?? [];
  const declared = languageOf(url);
  const codes = [...segments, ...endings].flatMap((part) => codeOf(part) ?? []);
  return declared === null ? codes : [...codes, declared];
}

/**
 * Returns the languages that the end of the file name may declare: `de` for `page_de.html` and `page-de`. Many such endings are no
 * language (`sign_in.html`), so they count only if the text of the page agrees.
 */
export function languageSuffixesOf(url: CanonicalUrl): string[] {
  const [path = ''] = pathOf(url).split('?', 1);
  const code = SUFFIX.exec(path.slice(path.lastIndexOf('/') + 1))?.[1]?.toLowerCase() ?? '';
  const spoken = LANGUAGE_OF_COUNTRY[code];
  return [...(CODES.has(code) ? [code] : []), ...(spoken ? [spoken] : [])];
}

/**
 * Returns the URL with all codes of languages removed. The translations of a page often have URLs that differ only in this
 * code, and then have the same result: `/de/start`, `/en/start` and `/start`; `start_de.html` and `start_en.html`.
 */
export function withoutLanguage(url: CanonicalUrl): string {
  const [path = '', query = ''] = pathOf(url).split('?', 2);
  const segments = path.split('/').slice(1);
  const file = segments.pop() ?? '';
  const [name = '', ...endings] = file.replace(SUFFIX, '$2').split('.');
  const kept = segments.filter((segment) => codeOf(segment) === null);
  const ending = endings.filter((part) => codeOf(part) === null);
  const host = hostOf(url);
  const site = languageOfHost(host) === null ? host : host.slice(host.indexOf('.') + 1);
  const rest = query === '' ? '' : `?${query.replace(PARAMETER, '')}`;
  return `${site}/${[...kept, [name, ...ending].join('.')].join('/')}${rest}`;
}

/** Returns the language that a URL declares, as a code in lower case; null if it declares none. */
export function languageOf(url: CanonicalUrl): string | null {
  const [path, query] = pathOf(url).split('?', 2) as [string, string?];
  const segment = path.split('/', 2)[1] ?? '';
  const parameter = PARAMETER.exec(query ?? '')?.[1] ?? '';
  return codeOf(segment) ?? codeOf(parameter) ?? languageOfHost(hostOf(url));
}

function languageOfHost(host: string): string | null {
  const label = host.split('.', 1)[0]!;
  return TAG.test(label) && registrableDomain(host) !== host ? codeOf(label) : null;
}

export function isLanguageCode(text: string): boolean {
  return CODES.has(text);
}

function codeOf(text: string): string | null {
  const code = TAG.exec(text)?.[1]?.toLowerCase() ?? '';
  return CODES.has(code) ? code : null;
}
