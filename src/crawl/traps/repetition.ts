/**
 * Detects traps that are visible in a single URL.
 *
 * Relative links that lead one level too deep repeat path segments: `/a/b/a/b/a/b/`. Links that append to the
 * query of their own page repeat parameters: `?size=1&colour=0&size=1`. Real URLs rarely do either: three
 * times in a row, or five times in total, is more than any site intends. Numbers are exempt, since dates and
 * map tiles repeat them legitimately.
 */
import { type Assessment, CLEAR } from './trap.ts';
import { escapePattern, type Parameter, type UrlShape, withParameters } from './url-shape.ts';

const MAX_SEGMENTS = 32;
const MAX_PARAMETERS = 16;
/** Number of consecutive repetitions of a group of path segments that makes a URL a trap. */
const IN_A_ROW = 3;
/** Number of occurrences of the same path segment that makes a URL a trap. */
const IN_ALL = 5;
/**
 * Number of parameters with the same name that makes a URL a trap; shorter lists such as `tag=a&tag=b` are allowed.
 */
const SAME_NAME = 6;
const LONGEST_GROUP = 4;

export function assessRepetition(shape: UrlShape): Assessment {
  const { segments, parameters } = shape;
  if (segments.length < IN_A_ROW && parameters.length < 2) return CLEAR;
  if (segments.length > MAX_SEGMENTS) return endless(`^(?:/[^/?]*){${MAX_SEGMENTS + 1}}`, '/*'.repeat(4));
  if (parameters.length > MAX_PARAMETERS) return endless(`^[^&]*(?:&[^&]*){${MAX_PARAMETERS}}`, '?*&*&*&*');
  return (
    repeatedGroup(segments) ?? repeatedSegment(segments) ?? repeatedParameter(shape, parameters) ?? CLEAR
  );
}

function endless(value: string, pattern: string): Assessment {
  const rule = { verb: 'ignore', match: 'regexp', value } as const;
  return { trap: { kind: 'endless-url', pattern: `${pattern}…`, rule }, replacementUrl: null };
}

function repeatedGroup(segments: readonly string[]): Assessment | null {
  for (let length = 1; length <= LONGEST_GROUP && length * IN_A_ROW <= segments.length; length++) {
    let equal = 0;
    for (let at = length; at < segments.length; at++) {
      equal = segments[at] === segments[at - length] ? equal + 1 : 0;
      if (equal < length * (IN_A_ROW - 1)) continue;
      const group = segments.slice(at - length + 1, at + 1);
      if (group.every(isNumber)) continue;
      const text = `/${group.join('/')}`;
      const value = `(?:${escapePattern(text)}){${IN_A_ROW}}`;
      const rule = { verb: 'ignore', match: 'regexp', value } as const;
      return {
        trap: { kind: 'repeating-path', pattern: `…${text.repeat(IN_A_ROW)}…`, rule },
        replacementUrl: null,
      };
    }
  }
  return null;
}

function repeatedSegment(segments: readonly string[]): Assessment | null {
  if (segments.length < IN_ALL) return null;
  for (const segment of segments) {
    if (isNumber(segment)) continue;
    let count = 0;
    for (const other of segments) if (other === segment) count++;
    if (count < IN_ALL) continue;
    const second = segments.indexOf(segment, segments.indexOf(segment) + 1);
    const value = `/${segments.slice(0, second + 1).join('/')}`;
    const rule = { verb: 'ignore', match: 'prefix', value } as const;
    return { trap: { kind: 'repeating-path', pattern: `${value}…`, rule }, replacementUrl: null };
  }
  return null;
}

function repeatedParameter(shape: UrlShape, parameters: readonly Parameter[]): Assessment | null {
  if (parameters.length < 2) return null;
  for (const [at, { name, value }] of parameters.entries()) {
    let sameName = 1;
    for (let other = at + 1; other < parameters.length; other++) {
      if (parameters[other]!.name !== name) continue;
      if (parameters[other]!.value === value || ++sameName >= SAME_NAME) return repeats(shape, name);
    }
  }
  return null;
}

/**
 * Assesses a URL with repeated parameters. The replacement URL has every pair of name and value once. A name with
 * many different values gets no replacement.
 */
function repeats(shape: UrlShape, name: string): Assessment {
  const kept = shape.parameters.filter(
    (each, at, all) =>
      all.findIndex((other) => other.name === each.name && other.value === each.value) === at,
  );
  const often = kept.filter((each) => each.name === name).length >= SAME_NAME;
  const escaped = escapePattern(name);
  const value = `[?&]${escaped}=[^&]*&(?:[^&]*&)*${escaped}=`;
  const rule = { verb: 'ignore', match: 'regexp', value } as const;
  const trap = { kind: 'repeating-parameter', pattern: `${shape.path}?…${name}=*…${name}=*`, rule } as const;
  return { trap, replacementUrl: often ? null : withParameters(shape, kept) };
}

function isNumber(segment: string): boolean {
  return /^\d+$/.test(segment);
}
