/** The maximum size of a picture that is stored as an icon. */
export const MAX_ICON_BYTES = 100_000;

/**
 * Returns the content type of a picture by its first bytes. Returns null for SVG, which could contain
 * scripts.
 */
export function pictureType(bytes: Buffer): string | null {
  const opening = bytes.toString('latin1', 0, 12);
  if (opening.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (opening.startsWith('\x00\x00\x01\x00')) return 'image/x-icon';
  if (/^GIF8[79]a/.test(opening)) return 'image/gif';
  if (opening.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  return /^RIFF....WEBP/s.test(opening) ? 'image/webp' : null;
}
