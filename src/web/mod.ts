/**
 * The data that the scripts of the dashboard receive from the server, once a second. These types are all that the
 * server and the scripts share.
 */

/** A name and a number, such as a reason and how often it occurred. */
export type NamedCount = readonly [name: string, count: number];

/** The state of the engine at one moment. Parts that are unknown are null. */
export interface LiveSnapshot {
  at: number;
  crawl: LiveCrawl | null;
  frontier: LiveFrontier | null;
  index: LiveIndex | null;
  searches: LiveSearches;
  /** The most frequent queries; null unless the operator has switched on that queries are counted. */
  queries: { withResults: readonly NamedCount[]; withoutResults: readonly NamedCount[] } | null;
  memory: { usedBytes: number; limitBytes: number };
  disk: LiveDisk | null;
}

interface LiveCrawl {
  state: string;
  pages: number;
  queued: number;
  errors: number;
  /** The rest is null if the crawl runs in another process. */
  own: {
    bytes: number;
    activeHosts: number;
    underWay: number;
    statuses: readonly NamedCount[];
    failures: readonly NamedCount[];
  } | null;
}

interface LiveFrontier {
  hosts: number;
  parked: number;
  /** Numbers of URLs by state. */
  ready: number;
  done: number;
  refused: number;
  failed: number;
  /** Hosts with queued URLs, by what they wait for. */
  waits: readonly NamedCount[];
  /** Fetched URLs by what they are. */
  outcomes: readonly NamedCount[];
  /** URLs that were refused or failed, and parked hosts, by reason. */
  problems: readonly NamedCount[];
}

interface LiveIndex {
  docs: number;
  sizeBytes: number;
  segments: readonly { name: string; docs: number; deleted: number; sizeBytes: number }[];
  /** Merges that this process has seen, and the time of the last one; null before the first. */
  merges: number;
  mergedAt: number | null;
  /** Time of the fetch of the newest page that searches find; null if there is none. */
  newestAt: number | null;
  /** Journal files that wait to be indexed. */
  waitingFiles: number;
}

export interface LiveSearches {
  /** Search requests since the start. */
  total: number;
  /** Over the last minute. The times are null without searches. */
  perMinute: number;
  medianMs: number | null;
  p95Ms: number | null;
}

interface LiveDisk {
  dataBytes: number;
  freeBytes: number;
  /** Growth of the data over `observedMs`, scaled to a day; null while too little was observed. */
  bytesPerDay: number | null;
  observedMs: number;
  /** Time at which the disk is full if the data continues to grow at this rate; null if it does not grow. */
  fullAt: number | null;
}

/** A point of the charts: counters since the start and gauges, as `/metrics` shows them at the same moment. */
export interface LiveSample {
  at: number;
  pages: number;
  bytes: number;
  errors: number;
  searches: number;
  queued: number;
  docs: number;
  medianMs: number | null;
  p95Ms: number | null;
  usedBytes: number;
}

/** A part of the page with its figures and tables, as text that is ready to be shown. */
export interface LivePanel {
  id: string;
  title: string;
  figures: readonly LiveFigure[];
  tables: readonly LiveTable[];
  /** A sentence below the figures; empty if there is none. */
  note: string;
}

export interface LiveFigure {
  name: string;
  value: string;
  /** A smaller second line; empty if there is none. */
  hint: string;
}

export interface LiveTable {
  caption: string;
  /** The names of the columns. */
  columns: readonly string[];
  rows: readonly LiveRow[];
  /** The sentence that is shown if there are no rows. */
  empty: string;
}

interface LiveRow {
  cells: readonly string[];
  /** The part of the greatest row, from 0 to 1, for a bar. */
  share: number;
}

/** The data that the dashboard shows at one moment. */
export interface LiveView {
  /** The state of the crawl, as a word for programs and as text. */
  state: string;
  stateText: string;
  /** The commands that are possible now. */
  actions: readonly string[];
  panels: readonly LivePanel[];
  /** The memory limit, for the chart of memory. */
  limitBytes: number;
}

/** The first event of a stream. Later events have one sample each. */
export interface LiveStart {
  history: readonly LiveSample[];
  view: LiveView;
}

export interface LiveTick {
  sample: LiveSample;
  view: LiveView;
}
