/** A picture that is larger is none of a site's icon, and is not held. */
export const MAX_ICON_BYTES = 100_000;

/** By its first bytes, whatever its header says; drawings, which could hold a script, are no pictures here. */
export function pictureType(bytes: Buffer): string | null {
  const opening = bytes.toString('latin1', 0, 12);
  if (opening.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (opening.startsWith('\x00\x00\x01\x00')) return 'image/x-icon';
  if (/^GIF8[79]a/.test(opening)) return 'image/gif';
  if (opening.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  return /^RIFF....WEBP/s.test(opening) ? 'image/webp' : null;
}
