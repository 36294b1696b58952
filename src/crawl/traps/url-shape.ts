/**
 * A URL split into path segments and parameters, in which traps are visible. The strings are slices of the canonical
 * URL and are not decoded.
 */
import { type CanonicalUrl, originOf } from '../../url/mod.ts';

export interface Parameter {
  name: string;
  value: string;
  /** True if the parameter is written as `;name=value` at the end of the path, not in the query. */
  inPath: boolean;
}

export interface UrlShape {
  url: CanonicalUrl;
  origin: string;
  /** The path without query and path parameters. */
  path: string;
  /** The texts between the slashes of the path. A trailing slash adds no segment. */
  segments: string[];
  parameters: Parameter[];
}

export function shapeOf(url: CanonicalUrl): UrlShape {
  const origin = originOf(url);
  const query = url.indexOf('?', origin.length);
  const whole = query < 0 ? url.slice(origin.length) : url.slice(origin.length, query);
  const semicolon = whole.indexOf(';', whole.lastIndexOf('/'));
  const path = semicolon < 0 ? whole : whole.slice(0, semicolon);
  const parameters: Parameter[] = [];
  if (semicolon >= 0) addParameters(parameters, whole.slice(semicolon + 1), ';', true);
  if (query >= 0) addParameters(parameters, url.slice(query + 1), '&', false);
  return { url, origin, path, segments: segmentsOf(path), parameters };
}

/** Returns the URL with only the parameters in `kept`, in the order of `kept`. */
export function withParameters(shape: UrlShape, kept: readonly Parameter[]): CanonicalUrl {
  const inPath = kept.filter((each) => each.inPath).map((each) => `;${written(each)}`);
  const query = kept.filter((each) => !each.inPath).map(written);
  const tail = query.length === 0 ? '' : `?${query.join('&')}`;
  return `${shape.origin}${shape.path}${inPath.join('')}${tail}` as CanonicalUrl;
}

/**
 * Returns path and parameter names with stars for variable text, for example the pattern that all article pages of a
 * site share.
 */
export function patternOf({ segments, parameters }: UrlShape): string {
  const last = segments.length - 1;
  const path = segments.map((segment, at) => (at === last || isVariable(segment) ? '*' : segment));
  const names = parameters.map(({ name, inPath }) => `${inPath ? ';' : '&'}${name}=*`);
  return `/${path.join('/')}${names.join('')}`;
}

/** Escapes text for use in the regular expression of a URL rule. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (let start = 1; start < path.length; ) {
    const slash = path.indexOf('/', start);
    const end = slash < 0 ? path.length : slash;
    segments.push(path.slice(start, end));
    start = end + 1;
  }
  return segments;
}

function addParameters(parameters: Parameter[], text: string, separator: string, inPath: boolean): void {
  for (const each of text.split(separator)) {
    const equals = each.indexOf('=');
    if (equals < 0) parameters.push({ name: each, value: '', inPath });
    else parameters.push({ name: each.slice(0, equals), value: each.slice(equals + 1), inPath });
  }
}

function written({ name, value }: Parameter): string {
  return value === '' ? name : `${name}=${value}`;
}

/** Returns true for numbers, dates and identifiers; false for words with a digit or two. */
function isVariable(segment: string): boolean {
  let digits = 0;
  for (let at = 0; at < segment.length; at++) {
    const code = segment.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) digits++;
  }
  return digits > 0 && digits * 3 >= segment.length;
}
