/**
 * The HTTP server of a node for supervisors and monitoring, at `--health HOST:PORT`:
 *
 *   /healthz   the process responds, and need not be restarted
 *   /readyz    200 if all roles can do their work, otherwise 503 with the reasons
 *   /metrics   gauges of the node and its roles, in the text format of Prometheus
 *
 * A gateway also has these paths at its own port, with the metrics of its requests.
 */
import { createServer, type ServerResponse } from 'node:http';
import { systemClock, systemCode, UsageError } from '../../base/mod.ts';
import { METRICS_FORMAT, processGauges, renderGauges } from '../../serve/mod.ts';
import { VERSION } from '../version.ts';
import type { NodeHealth } from './node-health.ts';

interface HealthAddress {
  host: string;
  port: number;
}

const REQUEST_MS = 10_000;
const MAX_CONNECTIONS = 32;

/** Starts to listen. Rejects with a `UsageError` if the address cannot be used. Returns a function that closes the server. */
export async function serveHealth(
  health: NodeHealth,
  { host, port }: HealthAddress,
): Promise<() => Promise<void>> {
  const startedAt = systemClock.now() - process.uptime() * 1000;
  const server = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    const [path] = (request.url ?? '').split('?');
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return reply(response, 405, { status: 'method' });
    if (path === '/healthz') return reply(response, 200, { status: 'alive', version: VERSION });
    if (path === '/readyz') {
      const problems = health.problems();
      if (problems.length > 0)
        return reply(response, 503, { status: 'not ready', reason: problems.join('; ') });
      return reply(response, 200, { status: 'ready' });
    }
    if (path !== '/metrics') return reply(response, 404, { status: 'not found' });
    const text = renderGauges([...health.gauges(), ...processGauges(VERSION, startedAt)]);
    response.writeHead(200, { 'content-type': METRICS_FORMAT }).end(text);
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      const what = `the health checks cannot listen on ${host}:${port} (${systemCode(cause)}): choose another address with --health`;
      reject(new UsageError('address-unusable', what, { cause }));
    });
    server.listen(port, host, resolve);
  });
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
