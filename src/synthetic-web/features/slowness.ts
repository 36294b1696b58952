/**
 * Features with responses that take long, never end, or end too soon. Each host has only one such page, so that
 * a crawler that waits for one of these hosts is still tested on the others.
 */
import { Readable } from 'node:stream';
import { sleep } from '../../base/mod.ts';
import {
  type Document,
  dealPages,
  type FeatureContext,
  type FeaturePart,
  featurePageOf,
  randomFor,
  range,
} from '../feature.ts';
import { htmlResponse, type Place, type Responder, type Visit } from '../site.ts';

const DRIPS = 10;
const STREAM_CHUNK_BYTES = 16_384;

export interface SlowTruth extends Place {
  /** `late` waits before the status line. `drip` sends the body in ten pieces. */
  manner: 'late' | 'drip';
  /** The minimum time in milliseconds from the request to the end of the response. */
  slowMs: number;
  title: string;
  uniqueWord: string;
}

/** Plans `count` pages that arrive complete after `slowMs`. */
export function planSlow(context: FeatureContext, count: number): FeaturePart<SlowTruth> {
  const { slowMs } = context.tuning;
  const pages = range(count).map((number) => {
    const document = context.document();
    const { title, uniqueWord } = document;
    const page = featurePageOf(context, document);
    const manner: SlowTruth['manner'] = number % 2 === 0 ? 'late' : 'drip';
    const respond: Responder =
      manner === 'late'
        ? () => ({ ...htmlResponse(page), delayMs: slowMs })
        : (visit) => ({ ...htmlResponse(''), body: () => Readable.from(drip(page, slowMs, visit.signal)) });
    return { path: '/slow', respond, truth: { manner, slowMs, title, uniqueWord } };
  });
  return dealPages(context, 'slow', 1, pages);
}

async function* drip(page: string, totalMs: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(page);
  const size = Math.ceil(bytes.length / DRIPS);
  for (let at = 0; at < bytes.length && !signal.aborted; at += size) {
    await sleep(totalMs / DRIPS, signal);
    yield bytes.subarray(at, at + size);
  }
}

export interface HangingTruth extends Place {
  /** How much of the response is sent before it stalls. */
  manner: 'nothing' | 'headers' | 'half';
}

/** Plans `count` pages whose response stalls and never ends. */
export function planHanging(context: FeatureContext, count: number): FeaturePart<HangingTruth> {
  const pages = range(count).map((number) => {
    const page = featurePageOf(context, context.document());
    const manner = (['nothing', 'headers', 'half'] as const)[number % 3]!;
    const respond: Responder = () => {
      if (manner === 'nothing') return { status: 0, ending: 'hang' };
      const body = manner === 'half' ? page.slice(0, page.length / 2) : '';
      return { ...htmlResponse(body), ending: 'hang' };
    };
    return { path: '/hanging', respond, truth: { manner } };
  });
  return dealPages(context, 'hanging', 1, pages);
}

export interface EndlessTruth extends Place {
  /** `flood` sends megabytes per second, `trickle` a few bytes ten times a second. */
  manner: 'flood' | 'trickle';
  /** A word in the first kilobyte of the body. */
  uniqueWord: string;
}

export function planEndlessStream(context: FeatureContext, count: number): FeaturePart<EndlessTruth> {
  const pages = range(count).map((number) => {
    const document = context.document();
    const manner: EndlessTruth['manner'] = number % 2 === 0 ? 'flood' : 'trickle';
    const respond: Responder = (visit) => ({
      ...htmlResponse(''),
      body: () => Readable.from(endless(context, document, manner, visit)),
    });
    return { path: '/endless', respond, truth: { manner, uniqueWord: document.uniqueWord } };
  });
  return dealPages(context, 'endless', 1, pages);
}

async function* endless(
  context: FeatureContext,
  document: Document,
  manner: EndlessTruth['manner'],
  { signal }: Visit,
): AsyncGenerator<Buffer> {
  const random = randomFor(context, document.number);
  yield Buffer.from(
    featurePageOf(context, document, { paragraphs: [`Filed under ${document.uniqueWord}.`] }),
  );
  while (!signal.aborted) {
    let text = '';
    while (manner === 'flood' && text.length < STREAM_CHUNK_BYTES)
      text += `${context.prose.passage(random).toString('latin1')}</p>\n`;
    yield Buffer.from(text || '<p>more</p>\n');
    await sleep(manner === 'flood' ? 1 : 100, signal);
  }
}

export interface TruncatedTruth extends Place {
  /** `length`: the body is shorter than Content-Length. `chunked`: the body lacks its last chunk. */
  manner: 'length' | 'chunked';
  sentBytes: number;
}

/** Plans `count` pages whose connection closes in the middle of the body. */
export function planTruncated(context: FeatureContext, count: number): FeaturePart<TruncatedTruth> {
  const pages = range(count).map((number) => {
    const page = featurePageOf(context, context.document());
    const half = page.slice(0, page.length / 2);
    const manner: TruncatedTruth['manner'] = number % 2 === 0 ? 'length' : 'chunked';
    const headers: Record<string, string> =
      manner === 'length' ? { 'content-length': String(page.length) } : {};
    const respond: Responder = () => ({ ...htmlResponse(half, headers), ending: 'cut' });
    return { path: '/truncated', respond, truth: { manner, sentBytes: half.length } };
  });
  return dealPages(context, 'truncated', 1, pages);
}

export interface HugeHeadersTruth extends Place {
  headerBytes: number;
}

/** Plans `count` pages with 200 kB of headers. */
export function planHugeHeaders(context: FeatureContext, count: number): FeaturePart<HugeHeadersTruth> {
  const headers = Object.fromEntries(range(100).map((number) => [`x-filler-${number}`, 'a'.repeat(2000)]));
  const headerBytes = Object.entries(headers).reduce(
    (sum, [name, value]) => sum + name.length + value.length + 4,
    0,
  );
  const pages = range(count).map(() => {
    const page = featurePageOf(context, context.document());
    return { path: '/headers', respond: () => htmlResponse(page, headers), truth: { headerBytes } };
  });
  return dealPages(context, 'headers', 1, pages);
}
