/** Which methods an address takes: who asks with another is told, instead of hearing that nothing is there. */
import type { FastifyInstance } from 'fastify';

export type AllowedMethods = (path: string) => string[];

/** Must be called before the routes are added: it listens for them. */
export function followRoutes(server: FastifyInstance): AllowedMethods {
  const routes = new Map<string, Set<string>>();
  server.addHook('onRoute', ({ url, method }) => {
    // A route for every address is the rule of origins, not an address.
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

/** Part by part; `:name` stands for any. */
function matches(url: string, path: string): boolean {
  const parts = path.split('/');
  const wanted = url.split('/');
  return (
    wanted.length === parts.length &&
    wanted.every((part, at) => part === parts[at] || (part.startsWith(':') && parts[at] !== ''))
  );
}
