/**
 * Reads, parses and rewrites archived copies of pages in worker threads, within a deadline. A slow file
 * delays only the request for it.
 *
 *   task -> cached result -> same task in flight -> known to be slow: 'late' -> thread, at most DEADLINE_MS
 *
 * The threads read the files of an archive themselves. Captures of a cluster are fetched by the thread that
 * owns the pool, because the response time of S3 must not count as the time of a slow file. A task then runs
 * again until it has all that it needs.
 *
 * Results are cached for KEEP_MS within a memory limit, because a copy is requested twice: once for its
 * frame, and once for the copy itself. After that time the archive may have a newer copy, and the newest copy
 * decides whether any copy may be shown.
 */
import {
  ArchiveReader,
  type CaptureNeed,
  type CaptureReader,
  type CdxQuery,
  fetchAndRun,
  type RemoteCaptures,
  readFetched,
} from '../../archive/mod.ts';
import {
  BoundedCache,
  type Clock,
  type Directory,
  type Log,
  messageOf,
  ParserPool,
  sleep,
  type TaskOutcome,
  VersionedCache,
} from '../../base/mod.ts';
import { logReadingNotes, type ReadingPlan } from '../../page/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type {
  ArchivedPage,
  ArchiveTask,
  CopyComparison,
  CopyResult,
  CopyTask,
  FoundCaptures,
  ShownCopy,
} from './copy-tasks.ts';
import { archivedPicture, type NoCopy, type PageArchive, type Picture } from './page-archive.ts';
import type { PageContents } from './page-contents.ts';

const THREADS = 2;
const DEADLINE_MS = 2000;
/** The memory limit of a thread. It is far more than one copy needs. */
const HEAP_BYTES = 512 * 1024 * 1024;
const CACHE_BYTES = 16 * 1024 * 1024;
const KEEP_MS = 60_000;
/**
 * The maximum number of copies and comparisons in flight. It is lower than the number of requests that the server
 * admits, so that slots remain for searches.
 */
const MAX_COPIES = 8;
const MAX_WAITING = 64;
/** A file that took too long is not tried again for this time. */
const SLOW_MS = 10 * 60_000;
const MAX_SLOW = 1000;

type PageTask = CopyTask | { kind: 'contents'; url: CanonicalUrl };

/** The directory of an archive, or captures that must be fetched. */
type CaptureSource = { directory: Directory; remote?: never } | { remote: RemoteCaptures; directory?: never };

type ArchivePoolOptions = CaptureSource & {
  log: Log;
  clock: Clock;
  /** The module that the worker threads run. Tests use another module. */
  file?: URL;
  deadlineMs?: number;
  /** The operator's rules for reading pages, for their contents; by default there are none. */
  reading?: ReadingPlan;
  /** The memory limit of a thread, without buffers; by default HEAP_BYTES. */
  heapBytes?: number;
};

export class ArchivePool implements PageArchive {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #captures: ArchiveReader | RemoteCaptures;
  readonly #deadlineMs: number;
  readonly #pool: ParserPool<ArchiveTask, CopyResult | CaptureNeed>;
  readonly #made = new VersionedCache<CopyResult>(CACHE_BYTES);
  readonly #underWay = new Map<string, Promise<CopyResult>>();
  /** The URLs of files that took too long. A file is not tried again before the stored time. */
  readonly #slow = BoundedCache.ofEntries<CanonicalUrl, number>(MAX_SLOW);
  #copyCount = 0;

  constructor(options: ArchivePoolOptions) {
    const { directory, remote, log, clock, file, reading = null } = options;
    const { deadlineMs = DEADLINE_MS, heapBytes = HEAP_BYTES } = options;
    this.#clock = clock;
    this.#log = log;
    this.#captures = remote ?? new ArchiveReader(directory);
    this.#deadlineMs = deadlineMs;
    this.#pool = new ParserPool({
      file: file ?? new URL('./archive-thread.ts', import.meta.url),
      data: { path: directory?.path ?? null, reading },
      threads: THREADS,
      maxBatch: 1,
      limitMs: deadlineMs,
      maxWaiting: { fast: { tasks: MAX_WAITING, bytes: Number.POSITIVE_INFINITY } },
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(heapBytes / 2 ** 20) },
      log,
      onNote: logReadingNotes(log),
    });
    // Starts one thread now, so that answer boxes do not wait for its start.
    this.#pool.warm(1);
  }

  async copy(url: CanonicalUrl, at: string, query: string): Promise<ShownCopy | NoCopy> {
    return this.#do({ kind: 'copy', url, at, query }) as Promise<ShownCopy | NoCopy>;
  }

  async compare(url: CanonicalUrl, from: string, to: string): Promise<CopyComparison | NoCopy> {
    return this.#do({ kind: 'compare', url, from, to }) as Promise<CopyComparison | NoCopy>;
  }

  async page(url: CanonicalUrl): Promise<ArchivedPage | NoCopy> {
    return this.#do({ kind: 'page', url }) as Promise<ArchivedPage | NoCopy>;
  }

  async contents(url: CanonicalUrl): Promise<PageContents | NoCopy> {
    return this.#do({ kind: 'contents', url }) as Promise<PageContents | NoCopy>;
  }

  async captures(query: CdxQuery): Promise<FoundCaptures | NoCopy> {
    if (!(this.#captures instanceof ArchiveReader)) return { kind: 'none' };
    const task = { kind: 'captures', url: query.url as CanonicalUrl, query } as const;
    return (await this.#run({ task })) as FoundCaptures | NoCopy;
  }

  async picture(url: CanonicalUrl): Promise<Picture | null> {
    const read = (reader: CaptureReader) => ({ kind: 'picture', picture: archivedPicture(reader, url) });
    const captures = this.#captures;
    if (captures instanceof ArchiveReader) return read(captures).picture;
    const result = await this.#inTime(
      fetchAndRun(captures, async (fetched) => readFetched(fetched, read)),
      url,
    );
    return 'picture' in result ? result.picture : null;
  }

  async close(): Promise<void> {
    if (this.#captures instanceof ArchiveReader) this.#captures.close();
    await this.#pool.close();
  }

  async #do(task: PageTask): Promise<CopyResult> {
    const key = JSON.stringify(task);
    const version = String(Math.floor(this.#clock.now() / KEEP_MS));
    // Programs ask for the contents of a page after it has changed, so these are not cached.
    const isCached = task.kind !== 'contents';
    const known = isCached ? this.#made.find(version, key) : null;
    if (known) return known;
    const underWay = this.#underWay.get(key);
    if (underWay !== undefined) return underWay;
    if ((this.#slow.get(task.url) ?? 0) > this.#clock.now()) return { kind: 'late' };
    if (task.kind !== 'page' && this.#copyCount >= MAX_COPIES) return { kind: 'busy' };
    const made = this.#make(task).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, made);
    const result = await made;
    if (isCached && result.kind !== 'late' && result.kind !== 'busy')
      this.#made.keep(version, key, result, sizeOf(result));
    return result;
  }

  async #make(task: PageTask): Promise<CopyResult> {
    const isCopy = task.kind !== 'page';
    if (isCopy) this.#copyCount++;
    try {
      return await this.#runWhole(task);
    } finally {
      if (isCopy) this.#copyCount--;
    }
  }

  async #runWhole(task: PageTask): Promise<CopyResult> {
    const captures = this.#captures;
    if (captures instanceof ArchiveReader) return (await this.#run({ task })) as CopyResult;
    const whole = fetchAndRun(captures, (fetched) => this.#run({ task, fetched }));
    return await this.#inTime(whole, task.url);
  }

  async #run(input: ArchiveTask): Promise<CopyResult | CaptureNeed> {
    const { url } = input.task;
    return this.#resultOf(url, await this.#pool.run(input, { name: url, deadlineMs: this.#deadlineMs }));
  }

  /** Returns the result of a task that first fetches captures; `late` if the task fails or takes too long. */
  async #inTime<Result>(work: Promise<Result>, url: CanonicalUrl): Promise<Result | NoCopy> {
    const ended = new AbortController();
    const late = sleep(this.#deadlineMs, ended.signal).then((): NoCopy => ({ kind: 'late' }));
    try {
      return await Promise.race([work, late]);
    } catch (error) {
      this.#log.warn('captures not fetched', { url, reason: messageOf(error) });
      return { kind: 'late' };
    } finally {
      ended.abort();
    }
  }

  #resultOf(url: CanonicalUrl, outcome: TaskOutcome<CopyResult | CaptureNeed>): CopyResult | CaptureNeed {
    if (outcome.kind === 'done') return outcome.output;
    if (outcome.kind === 'died' || (outcome.kind === 'late' && outcome.hasBegun)) this.#remember(url);
    if (outcome.kind === 'failed') return { kind: 'none' };
    return { kind: outcome.kind === 'full' ? 'busy' : 'late' };
  }

  #remember(url: CanonicalUrl): void {
    this.#slow.set(url, this.#clock.now() + SLOW_MS);
  }
}

function sizeOf(result: CopyResult): number {
  if (result.kind === 'copy') return 1000 + 2 * result.document.length;
  if (result.kind === 'page') return 5000 + 2 * result.page.text.length;
  if (result.kind !== 'comparison') return 200;
  return 1000 + result.parts.reduce((sum, part) => sum + 100 + lengthOf(part), 0);
}

function lengthOf(part: CopyComparison['parts'][number]): number {
  if (part.kind === 'kept') return 0;
  if (part.kind !== 'changed') return 2 * part.line.length;
  return part.words.reduce(
    (sum, { items }) => sum + items.reduce((length, word) => length + 2 * word.length + 16, 0),
    0,
  );
}
