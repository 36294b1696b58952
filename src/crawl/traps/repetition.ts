/**
 * Traps that show in one address alone.
 *
 * Relative links that lead one level too deep repeat path segments: `/a/b/a/b/a/b/`. Links that add to the
 * query of the page they stand on repeat parameters: `?size=1&colour=0&size=1`. Real addresses do neither
 * often: three times in a row, or five times in all, is more than any site means. Numbers are let off, since
 * dates and map tiles repeat them honestly.
 */
import { type Assessment, CLEAR } from './trap.ts';
import { escapePattern, type Parameter, type UrlShape, withParameters } from './url-shape.ts';

const MAX_SEGMENTS = 32;
const MAX_PARAMETERS = 16;
/** A group of segments that follows itself this often. */
const IN_A_ROW = 3;
/** A segment that occurs this often anywhere. */
const IN_ALL = 5;
/** One name given this often: lists such as `tag=a&tag=b` are let pass up to here. */
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
  return { trap: { kind: 'endless-url', pattern: `${pattern}…`, rule }, instead: null };
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
      return { trap: { kind: 'repeating-path', pattern: `…${text.repeat(IN_A_ROW)}…`, rule }, instead: null };
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
    return { trap: { kind: 'repeating-path', pattern: `${value}…`, rule }, instead: null };
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

/** In its place, the address with every pair once; the same name with many values is cut for good. */
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
  return { trap, instead: often ? null : withParameters(shape, kept) };
}

function isNumber(segment: string): boolean {
  return /^\d+$/.test(segment);
}
