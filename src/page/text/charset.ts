/**
 * Converts bytes in any encoding to valid UTF-8, which the parsers read. The encoding is, in this order:
 *
 *   1. the encoding of a byte order mark
 *   2. the encoding in the Content-Type header
 *   3. the encoding in `<meta charset>`, `<meta http-equiv=content-type>` or `<?xml encoding?>` in the first
 *      1024 bytes, if the format has such a declaration
 *   4. UTF-8 if the bytes are valid, otherwise a guess by the text
 *
 * Unknown labels are ignored. Never throws: invalid bytes become U+FFFD.
 */
import { isUtf8 } from 'node:buffer';
import { guessCharset } from './charset-guess.ts';

const PRESCAN_BYTES = 1024;
const UTF8 = 'utf-8';

const BYTE_ORDER_MARKS: [string, number[]][] = [
  [UTF8, [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Converts a body to UTF-8. `prescan` finds the declared encoding in the first bytes of the body, which it
 * receives as Latin-1 characters.
 */
export function toUtf8(
  body: Uint8Array,
  headerLabel: string,
  prescan: (opening: string) => string = () => '',
): Buffer {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked) return transcode(bytes.subarray(marked[1].length), marked[0]);
  const encoding = encodingOf(headerLabel) ?? prescannedEncoding(bytes, prescan) ?? guess(bytes);
  return transcode(bytes, encoding);
}

/** Returns the encoding label that an HTML or XHTML page declares at its beginning, or the empty string. */
export function declaredCharset(opening: string): string {
  const xml = /^\s*<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([^"'>]{1,40})/i.exec(opening);
  if (xml) return xml[1]!;
  const uncommented = opening.replace(/<!--.*?(?:-->|$)/gs, '');
  for (const [meta] of uncommented.matchAll(/<meta[\s/][^>]*/gi)) {
    const charset = /[\s"';/]charset\s{0,9}=\s{0,9}["']?([^\s"'/>;]{1,40})/i.exec(meta);
    if (charset) return charset[1]!;
  }
  return '';
}

function prescannedEncoding(bytes: Buffer, prescan: (opening: string) => string): string | null {
  const encoding = encodingOf(prescan(bytes.toString('latin1', 0, PRESCAN_BYTES)));
  // This declaration was read as ASCII. If it declares UTF-16, it is wrong, and the page is in UTF-8.
  return encoding?.startsWith('utf-16') ? UTF8 : encoding;
}

/**
 * Returns the encoding that a label means; `latin1` means `windows-1252`. Returns null for an unknown label.
 */
function encodingOf(label: string): string | null {
  if (label === '') return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

function guess(bytes: Buffer): string {
  return isUtf8(bytes) ? UTF8 : guessCharset(bytes);
}

function transcode(bytes: Buffer, encoding: string): Buffer {
  if (encoding === UTF8 && isUtf8(bytes)) return bytes;
  return Buffer.from(new TextDecoder(encoding).decode(bytes));
}
