/**
 * Serves `/indexnow`: sites announce new and changed URLs with the protocol IndexNow (https://www.indexnow.org). The
 * key of a request must be in a file of the host:
 *
 *   GET  /indexnow?url=https://example.org/new&key=0123456789abcdef
 *   POST /indexnow  {"host":"example.org","key":"…","keyLocation":"https://example.org/keys/….txt","urlList":[…]}
 *
 *   200 accepted     400 malformed     403 the key file is missing     422 a URL is not of the host or not below the file
 */
import type { FastifyInstance } from 'fastify';
import { RequestProblem } from '../errors.ts';
import type { RateLimit } from '../guards/mod.ts';
import type { SiteTools } from './site-tools.ts';

const MAX_URLS = 1_000;

interface Ping {
  urls: string[];
  host: string;
  key: string;
  keyLocation: string;
}

export function indexNowRoutes(server: FastifyInstance, tools: SiteTools, limit: RateLimit): void {
  server.route({
    method: ['GET', 'POST'],
    url: '/indexnow',
    handler: async (request, reply) => {
      const refusal = limit.take(request, reply);
      if (refusal) throw refusal;
      const ping = readPing(request.method === 'GET' ? request.query : request.body);
      requireBelow(ping);
      if (!(await tools.hasKeyFile(ping.keyLocation, ping.key)))
        throw new RequestProblem(403, 'no-key-file', `Expected the key in ${ping.keyLocation}.`);
      const results = await tools.submit(ping.urls, `indexnow:${ping.host}@${request.ip}`);
      return reply.send({ accepted: results.filter(({ isAccepted }) => isAccepted).length });
    },
  });
}

function readPing(given: unknown): Ping {
  const { url, urlList, host, key = '', keyLocation } = (given ?? {}) as Record<string, unknown>;
  const urls = Array.isArray(urlList) ? urlList.map(String) : typeof url === 'string' ? [url] : [];
  const own = typeof host === 'string' ? host.toLowerCase() : (URL.parse(urls[0] ?? '')?.host ?? '');
  const isKey = typeof key === 'string' && /^[\w-]{8,128}$/.test(key);
  if (urls.length === 0 || urls.length > MAX_URLS || own === '' || !isKey)
    throw new RequestProblem(400, 'bad-ping', `Expected url or urlList (at most ${MAX_URLS}), and a key.`);
  const scheme = URL.parse(urls[0]!)?.protocol ?? 'https:';
  const place = typeof keyLocation === 'string' ? keyLocation : `${scheme}//${own}/${key}.txt`;
  return { urls, host: own, key, keyLocation: place };
}

/** A key file counts for the folder in which it is, and for the folders below. */
function requireBelow({ urls, host, keyLocation }: Ping): void {
  const file = URL.parse(keyLocation);
  const folder = file?.pathname.replace(/[^/]*$/, '') ?? '/';
  const isBelow = (text: string) => {
    const url = URL.parse(text);
    return url !== null && url.host === host && url.pathname.startsWith(folder);
  };
  if (file?.host === host && urls.every(isBelow)) return;
  throw new RequestProblem(
    422,
    'foreign-url',
    'Every URL must be of the host, and in the folder of the key file or below.',
  );
}
