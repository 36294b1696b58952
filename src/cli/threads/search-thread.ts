/** A thread that answers queries; see search-pool.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf, systemClock } from '../../base/mod.ts';
import type {
  Arrival,
  Correction,
  ExplainOptions,
  RefreshingSearcher,
  SearchResponse,
} from '../../query/mod.ts';
import type { ScoreBreakdown } from '../../scoring/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { readData } from '../data-directory.ts';
import { failureOf } from '../failure.ts';
import { stderrLog } from '../output.ts';
import { type LocalSearching, openLocalSearching } from '../sessions/local-searching.ts';
import type { FromSearchThread, SearchThreadInput, ToSearchThread } from './search-pool.ts';

const { config, cacheBytes, answerBytes, hurry, isCorrecting } = workerData as SearchThreadInput;
const port = parentPort!;
const log = stderrLog(config);
const hurried = new Int32Array(hurry);
const isHurried = () => Atomics.load(hurried, 0) !== 0;
const tell = (message: FromSearchThread) => port.postMessage(message);
/** The reason why the last refresh failed, to log it only once. */
let trouble = '';

/** The duration of the warm-up, if the index has enough documents. */
const WARM_UP_MS = 1000;

const searcher = openOrTell();
if (searcher) serve(searcher);

/** The code of queries is compiled before the first query arrives. A pool that closes hurries the thread. */
async function warmUp(searcher: LocalSearching): Promise<void> {
  const endsAt = performance.now() + WARM_UP_MS;
  try {
    await searcher.warmUp(() => isHurried() || performance.now() > endsAt);
    if (isCorrecting && !isHurried()) await searcher.correct('');
  } catch (error) {
    log.warn('warm-up failed', { reason: messageOf(error) });
  }
  tell({ kind: 'stats', stats: searcher.stats() });
}

function openOrTell(): LocalSearching | null {
  try {
    return openLocalSearching(readData(config.data), config, log, { cacheBytes, answerBytes, isHurried });
  } catch (error) {
    tell({ kind: 'unusable', ...failureOf(error) });
    return null;
  }
}

function serve(searcher: LocalSearching): void {
  const warm = warmUp(searcher);
  port.on('message', async (message: ToSearchThread) => {
    await warm;
    if (message.kind === 'search')
      void answer(() => searcher.search({ ...message.request, ...arrival(message.waitedMs) }));
    else if (message.kind === 'explain')
      void answer(() =>
        explain(searcher, message.query, message.url, { ...message.request, ...arrival(message.waitedMs) }),
      );
    else if (message.kind === 'correct') void answer(() => searcher.correct(message.query));
    else if (message.kind === 'refresh') refresh(searcher);
    else close(searcher);
  });
}

/** Converts to the clock of this thread. */
function arrival(waitedMs: number): Arrival {
  return { arrivedAt: systemClock.now() - waitedMs };
}

async function explain(
  searcher: RefreshingSearcher,
  query: string,
  url: CanonicalUrl,
  request: ExplainOptions,
): Promise<ScoreBreakdown | null> {
  return (await searcher.explain?.(query, url, request)) ?? null;
}

async function answer(
  ask: () => Promise<SearchResponse | ScoreBreakdown | Correction | null>,
): Promise<void> {
  try {
    tell({ kind: 'answer', answer: await ask() });
  } catch (error) {
    const { code, message } = failureOf(error);
    tell({ kind: 'failed', code, message });
  }
}

/** Runs twice a second, so each failure is logged only once. */
function refresh(searcher: RefreshingSearcher): void {
  try {
    searcher.refresh();
    tell({ kind: 'stats', stats: searcher.stats() });
    trouble = '';
  } catch (error) {
    const reason = messageOf(error);
    if (reason !== trouble) log.error('index not refreshed', { reason });
    trouble = reason;
  }
}

function close(searcher: RefreshingSearcher): void {
  searcher.close();
  port.close();
}
