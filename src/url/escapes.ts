/** Normalises percent-escapes such as `%7e` (RFC 3986 § 6.2.2). */

const UNRESERVED = /^[A-Za-z0-9\-._~]$/;

/**
 * Decodes escapes of unreserved characters and writes all others with upper-case digits. A percent sign that
 * begins no escape is itself escaped, so that decoding can never create a new escape.
 */
export function normalizeEscapes(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%([0-9A-Fa-f]{2})?/g, (triplet, digits?: string) => {
    if (digits === undefined) return '%25';
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return UNRESERVED.test(character) ? character : triplet.toUpperCase();
  });
}

/**
 * Decodes percent-escapes for display. Returns the text unchanged if the decoded bytes are not valid UTF-8.
 */
export function unescaped(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
