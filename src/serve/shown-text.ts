/**
 * Prepares foreign text for a page. It must neither change the direction of other text on the page nor push other
 * text out of sight.
 */

/**
 * Removes characters that change the direction of all following text; marks that affect only one character
 * stay.
 */
export function plain(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
}

/** Shortens text to `limit` characters. The cut is never inside a character. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const characters = Array.from(text.slice(0, 2 * limit));
  if (characters.length <= limit && text.length <= 2 * limit) return text;
  return `${characters
    .slice(0, limit - 1)
    .join('')
    .trimEnd()}…`;
}
