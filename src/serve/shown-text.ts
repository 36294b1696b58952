/** Foreign text on its way to a page: it must not turn what stands beside it, nor push it out of sight. */

/** Without the characters that turn the direction of all text after them; marks for one character stay. */
export function plain(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
}

/** Cut between characters, never inside one. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const characters = Array.from(text.slice(0, 2 * limit));
  if (characters.length <= limit && text.length <= 2 * limit) return text;
  return `${characters
    .slice(0, limit - 1)
    .join('')
    .trimEnd()}…`;
}
