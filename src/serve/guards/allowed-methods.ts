/** Records the HTTP methods of each path, so that a request with another method gets 405 instead of 404. */
import type { FastifyInstance } from 'fastify';

export type AllowedMethods = (path: string) => string[];

/** Records routes as they are registered. Must be called before the routes are added. */
export function followRoutes(server: FastifyInstance): AllowedMethods {
  const routes = new Map<string, Set<string>>();
  server.addHook('onRoute', ({ url, method }) => {
    // The wildcard route belongs to the CORS rule and is not a path.
    if (url === '*') return;
    const methods = routes.get(url) ?? new Set();
    routes.set(url, methods);
    for (const each of [method].flat()) methods.add(String(each));
  });
  return (path) => {
    const found = [...routes].filter(([url]) => matches(url, path)).flatMap(([, methods]) => [...methods]);
    return found.length === 0 ? [] : [...new Set([...found, 'OPTIONS'])].sort();
  };
}

/**
 * Returns true if a path matches the pattern of a route. Compares them segment by segment. `:name` matches any
 * segment that is not empty.
 */
function matches(url: string, path: string): boolean {
  const parts = path.split('/');
  const wanted = url.split('/');
  return (
    wanted.length === parts.length &&
    wanted.every((part, at) => part === parts[at] || (part.startsWith(':') && parts[at] !== ''))
  );
}
