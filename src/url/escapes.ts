/** Percent-escapes, written in one way (RFC 3986 § 6.2.2). */

const UNRESERVED = /^[A-Za-z0-9\-._~]$/;

/**
 * Every percent-escape written alike: unreserved characters plain, the rest in upper-case digits. A
 * percent sign that begins no escape is escaped itself, so that decoding can never make a new one.
 */
export function normalizeEscapes(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%([0-9A-Fa-f]{2})?/g, (triplet, digits?: string) => {
    if (digits === undefined) return '%25';
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return UNRESERVED.test(character) ? character : triplet.toUpperCase();
  });
}

/** As people read it; as it stands where its escapes are no text. */
export function unescaped(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
