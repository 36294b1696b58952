/**
 * Serves the host `control.test`, the interface for tests in another process. Requests to it are not logged.
 *
 *   GET /log?from=N   the request log from entry N on, one JSON object per line. An entry that was in
 *                     flight when it was read is not sent again: read the whole log at the end
 *   GET /truth        options, hosts, seeds and the truth of all features, as one JSON object
 *   GET /pages        the plain pages, one JSON object per line
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { WebPlan } from './plan.ts';
import type { RequestLog } from './request-log.ts';

export const CONTROL_HOST = 'control.test';

export function answerControl(
  request: IncomingMessage,
  response: ServerResponse,
  plan: WebPlan,
  log: RequestLog,
  port: number,
): void {
  const url = new URL(request.url ?? '/', `http://${CONTROL_HOST}`);
  if (url.pathname === '/log') {
    const from = Number(url.searchParams.get('from') ?? 0);
    reply(response, 'application/x-ndjson', log.toNdjson(from));
  } else if (url.pathname === '/truth') {
    const { options, hosts, truth } = plan;
    reply(response, 'application/json', JSON.stringify({ options, hosts, seeds: plan.seeds(port), truth }));
  } else if (url.pathname === '/pages') {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    pipeline(Readable.from(pageLines(plan, port)), response, () => {});
  } else {
    response.writeHead(404).end();
  }
}

function* pageLines(plan: WebPlan, port: number): Generator<string> {
  let lines = '';
  for (const page of plan.plainPages(port)) {
    lines += `${JSON.stringify(page)}\n`;
    if (lines.length < 1 << 16) continue;
    yield lines;
    lines = '';
  }
  yield lines;
}

function reply(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
}
