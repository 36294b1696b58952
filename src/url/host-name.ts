/** Reads host names as people write them in configuration and lists. */
import { canonicalize } from './canonical.ts';
import { originOf } from './parts.ts';

/**
 * Normalises a host name: `Bücher.example:8080` becomes `xn--bcher-kva.example:8080`. A leading dot, as in
 * `.de`, is dropped. Returns null if the text is not a host with an optional port.
 */
export function readHostName(text: string): string | null {
  const name = text.trim().replace(/^\./, '');
  if (/[/?#@\\]/.test(name)) return null;
  const url = canonicalize(`http://${name}/`);
  const authority = url && originOf(url).slice('http://'.length);
  return authority && /^(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?$/.test(authority) ? authority : null;
}

/**
 * Returns the host and all domains above it: for `a.b.example:81` these are `a.b.example`, `b.example`,
 * `example`, and the same three names with the port.
 */
export function namesAbove(host: string, port: string): string[] {
  const names: string[] = [];
  for (let at = 0; at >= 0; at = nextLabel(host, at)) names.push(host.slice(at));
  return port === '' ? names : [...names, ...names.map((name) => `${name}:${port}`)];
}

function nextLabel(host: string, at: number): number {
  const dot = host.indexOf('.', at);
  return dot < 0 || /^[\d.]+$|^\[/.test(host) ? -1 : dot + 1;
}
