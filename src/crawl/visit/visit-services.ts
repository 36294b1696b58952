import type { Clock, Log } from '../../base/mod.ts';
import type { UrlRules } from '../../url/mod.ts';
import type { RemovedPages } from '../crawl-options.ts';
import type { CrawlProgress } from '../crawl-progress.ts';
import type { Fetcher } from '../fetch/mod.ts';
import type { ForeignRequests, Frontier, PolitenessOptions } from '../frontier/mod.ts';
import type { Recorder } from '../recorder.ts';
import type { SlicedWork } from '../sliced-work.ts';
import type { HostLeases } from './host-leases.ts';
import type { ResponseHandler } from './response-handler.ts';

/** The dependencies that visits of pages, icons, robots.txt and probe URLs share. */
export interface VisitServices {
  frontier: Frontier;
  foreign: ForeignRequests;
  fetcher: Fetcher;
  responseHandler: ResponseHandler;
  recorder: Recorder;
  leases: HostLeases;
  progress: CrawlProgress;
  slices: SlicedWork;
  urlRules: UrlRules;
  removed: RemovedPages;
  politeness: PolitenessOptions;
  /** The name that is compared with the User-agent lines of robots.txt. */
  productToken: string;
  clock: Clock;
  log: Log;
  /** Called when a host did not respond at all, with the reason. */
  onUnreachable(origin: string, reason: string): void;
}
