/**
 * Reads XML in one pass without a tree, and reports its tags and texts in document order. It never throws: broken XML
 * gives the tags that could be read, in linear time. Each tag and each text costs a step of the budget.
 *
 * Document type declarations are skipped, so no entity is ever defined, expanded or loaded.
 */
import type { WorkBudget } from '../../base/mod.ts';
import { AttributeScanner, afterBogusComment, afterDeclaration, isLetter, nameEnd } from '../html/mod.ts';
import { MAX_TEXT } from '../limits.ts';
import { decodeReferences } from '../text/mod.ts';

/** Receives the tags and texts of an XML document. Positions are offsets in the source. */
export interface XmlHandler {
  /** `attributes` are valid only during the call. An empty element gets a call of `endTag` too. */
  startTag(name: string, attributes: AttributeScanner, from: number, to: number): void;
  endTag(name: string, from: number, to: number): void;
  /** `read` decodes the text. A handler does not call it for text that it does not need. */
  text(read: () => string): void;
}

const SLASH = 0x2f;
const BANG = 0x21;
const LESS_THAN = 0x3c;
const UNDERSCORE = 0x5f;
const CDATA_START = '<![CDATA[';
const CDATA_END = ']]>';
/** The maximum number of bytes of a name. Longer names are cut. */
const MAX_NAME = 100;
/** The maximum number of bytes of a text that are decoded. No page has as much text. */
const MAX_TEXT_BYTES = 4 * MAX_TEXT;

/** Scans valid UTF-8 until its end, until the budget is spent, or until `isDone` returns true. */
export function scanXml(
  source: Buffer,
  handler: XmlHandler,
  budget: WorkBudget,
  isDone: () => boolean = () => false,
): void {
  const attributes = new AttributeScanner();
  for (let at = 0; at < source.length && !isDone() && budget.step(); ) {
    at =
      source[at] === LESS_THAN ? scanMarkup(source, at, handler, attributes) : scanText(source, at, handler);
  }
}

function scanText(source: Buffer, at: number, handler: XmlHandler): number {
  const next = source.indexOf(LESS_THAN, at);
  const end = next < 0 ? source.length : next;
  handler.text(() => decodeReferences(source, at, Math.min(end, at + MAX_TEXT_BYTES), false));
  return end;
}

function scanMarkup(source: Buffer, at: number, handler: XmlHandler, attributes: AttributeScanner): number {
  const next = source[at + 1] ?? 0;
  if (isLetter(next) || next === UNDERSCORE) return scanStartTag(source, at, handler, attributes);
  if (next === SLASH) {
    const to = nameEnd(source, at + 2);
    const after = afterBogusComment(source, to);
    handler.endTag(nameAt(source, at + 2, to), at, after);
    return after;
  }
  if (next !== BANG) return afterBogusComment(source, at + 1);
  if (source.toString('latin1', at, at + CDATA_START.length) !== CDATA_START)
    return afterDeclaration(source, at);
  const from = at + CDATA_START.length;
  const end = source.indexOf(CDATA_END, from);
  const to = end < 0 ? source.length : end;
  handler.text(() => source.toString('utf8', from, Math.min(to, from + MAX_TEXT_BYTES)));
  return to + CDATA_END.length;
}

function scanStartTag(source: Buffer, at: number, handler: XmlHandler, attributes: AttributeScanner): number {
  const to = nameEnd(source, at + 1);
  const after = attributes.scan(source, to);
  if (after < 0) return source.length;
  const name = nameAt(source, at + 1, to);
  const { isSelfClosing } = attributes;
  handler.startTag(name, attributes, at, after);
  if (isSelfClosing) handler.endTag(name, after, after);
  return after;
}

function nameAt(source: Buffer, from: number, to: number): string {
  return source.toString('utf8', from, Math.min(to, from + MAX_NAME));
}
