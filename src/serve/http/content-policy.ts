/** The content security policy of pages: nothing from other origins, no inline scripts or styles. */

/** `pictures` are origins or schemes from which pages load pictures besides this server. */
export function contentPolicy(...pictures: string[]): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    ["img-src 'self'", ...pictures].join(' '),
    "script-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
