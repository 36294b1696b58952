/**
 * Sends the HTTP requests of remote boxes. The response must be one small JSON document from the configured URL
 * (no redirects), within the caller's time limit. Any other response is an error, and the box is not shown.
 */
import { GyreError } from '../../base/mod.ts';

const MAX_BYTES = 512 * 1024;

interface RemoteRequest {
  url: URL;
  signal: AbortSignal;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

export async function fetchJson({ url, signal, ...options }: RemoteRequest): Promise<unknown> {
  const response = await fetch(url, { ...options, signal, redirect: 'error' });
  if (!response.ok) {
    await response.body?.cancel();
    throw new GyreError('remote-answer', `${url.origin} responded with HTTP ${response.status}`);
  }
  return JSON.parse(await readText(response, url));
}

/** Returns the URL of a path below the URL of a service, with parameters. */
export function addressBelow(base: string, path: string, parameters: Record<string, string>): URL {
  const url = new URL(path.replace(/^\//, ''), base.endsWith('/') ? base : `${base}/`);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

/**
 * Returns a nested value of a response: `pick(answer, 'a', 0, 'b')` is `answer.a[0].b`, or undefined if a
 * step does not exist.
 */
export function pick(value: unknown, ...path: (string | number)[]): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string | number, unknown>)[step];
  }
  return at;
}

export function pickText(value: unknown, ...path: (string | number)[]): string {
  const found = pick(value, ...path);
  return typeof found === 'string' ? found : '';
}

export function pickNumber(value: unknown, ...path: (string | number)[]): number | null {
  const found = pick(value, ...path);
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}

export function pickList(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = pick(value, ...path);
  return Array.isArray(found) ? found : [];
}

async function readText(response: Response, url: URL): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES)
      throw new GyreError('remote-answer', `${url.origin} sent more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
