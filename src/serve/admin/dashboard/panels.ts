/**
 * Arranges a snapshot in panels of figures and tables. The server renders them for browsers without scripts, and sends
 * them to the scripts of the page, so both show the same texts.
 */
import type {
  LiveFigure,
  LivePanel,
  LiveSnapshot,
  LiveTable,
  LiveView,
  NamedCount,
} from '../../../web/mod.ts';
import { grouped, sizeText, spanText, whenText } from './numbers.ts';

const STATES: Readonly<Record<string, string>> = {
  crawling: 'Crawling',
  indexing: 'Indexing',
  paused: 'Paused',
  stopped: 'Stopped',
  idle: 'Idle',
};

/** The commands that are possible in each state of a crawl. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  paused: ['resume', 'stop'],
  stopped: ['start'],
  elsewhere: ['pause', 'resume', 'stop'],
};

export function viewOfSnapshot(snapshot: LiveSnapshot): LiveView {
  const { crawl, memory } = snapshot;
  const state = crawl?.state ?? 'elsewhere';
  return {
    state,
    stateText: STATES[state] ?? 'No crawl in this process',
    actions: ACTIONS[state] ?? ['pause', 'stop'],
    panels: panelsOf(snapshot),
    limitBytes: memory.limitBytes,
  };
}

function panelsOf(snapshot: LiveSnapshot): LivePanel[] {
  return [
    crawlPanel(snapshot),
    responsesPanel(snapshot),
    frontierPanel(snapshot),
    problemsPanel(snapshot),
    indexPanel(snapshot),
    searchPanel(snapshot),
    resourcesPanel(snapshot),
  ];
}

function crawlPanel({ crawl, frontier }: LiveSnapshot): LivePanel {
  const own = crawl?.own;
  const figures = [
    figure('Pages', grouped(crawl?.pages ?? frontier?.done ?? 0), own ? 'since the start' : 'fetched URLs'),
    figure('Queued', grouped(crawl?.queued ?? frontier?.ready ?? 0), 'URLs to fetch'),
    figure('In flight', own ? grouped(own.underWay) : '–', own ? `of ${grouped(own.activeHosts)} hosts` : ''),
    figure('Received', own ? sizeText(own.bytes) : '–', own ? 'since the start' : ''),
    figure(
      'Errors',
      grouped(crawl?.errors ?? frontier?.failed ?? 0),
      own ? 'since the start' : 'failed URLs',
    ),
    figure('Hosts', grouped(frontier?.hosts ?? 0), `${grouped(frontier?.parked ?? 0)} parked`),
  ];
  return panel('crawl', 'Crawl', figures, []);
}

function responsesPanel({ crawl }: LiveSnapshot): LivePanel {
  const own = crawl?.own;
  return panel(
    'responses',
    'Responses since the start',
    [],
    [
      countTable('HTTP status', 'Responses', own?.statuses ?? [], 'No response yet.'),
      countTable('Error', 'Requests', own?.failures ?? [], 'No request has failed.'),
    ],
  );
}

function frontierPanel({ frontier }: LiveSnapshot): LivePanel {
  const states: NamedCount[] = frontier
    ? [
        ['queued', frontier.ready],
        ['fetched', frontier.done],
        ['refused', frontier.refused],
        ['failed', frontier.failed],
      ]
    : [];
  return panel(
    'frontier',
    'Frontier',
    [],
    [
      countTable('URL state', 'URLs', states, 'There is no crawl yet.'),
      countTable('What hosts wait for', 'Hosts', frontier?.waits ?? [], 'No host has queued URLs.'),
    ],
  );
}

function problemsPanel({ frontier }: LiveSnapshot): LivePanel {
  return panel(
    'outcomes',
    'Outcomes of all URLs',
    [],
    [
      countTable('Fetched URLs', 'URLs', frontier?.outcomes ?? [], 'No URL is fetched yet.'),
      countTable(
        'Refused, failed or parked',
        'Count',
        frontier?.problems ?? [],
        'No URL was refused or failed.',
      ),
    ],
  );
}

function indexPanel({ index, at }: LiveSnapshot): LivePanel {
  if (!index) return panel('index', 'Index', [], [], 'There is no index yet.');
  const greatest = Math.max(1, ...index.segments.map(({ docs }) => docs));
  const figures = [
    figure('Documents', grouped(index.docs)),
    figure('Size', sizeText(index.sizeBytes), `${grouped(index.segments.length)} segments`),
    figure(
      'Newest page',
      index.newestAt === null ? '–' : whenText(Math.min(index.newestAt, at), at),
      index.waitingFiles === 0
        ? 'all pages are indexed'
        : `${grouped(index.waitingFiles)} journal ${index.waitingFiles === 1 ? 'file waits' : 'files wait'}`,
    ),
    figure(
      'Merges',
      grouped(index.merges),
      index.mergedAt === null ? 'since the start' : `last ${whenText(index.mergedAt, at)}`,
    ),
  ];
  const segments = {
    caption: 'Segments of the index',
    columns: ['Segment', 'Documents', 'Deleted', 'Size'],
    rows: index.segments.map(({ name, docs, deleted, sizeBytes }) => ({
      cells: [name, grouped(docs), grouped(deleted), sizeText(sizeBytes)],
      share: docs / greatest,
    })),
    empty: 'The index has no segment yet.',
  };
  return panel('index', 'Index', figures, [segments]);
}

function searchPanel({ searches, queries }: LiveSnapshot): LivePanel {
  const time = (ms: number | null) => (ms === null ? '–' : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`);
  const figures = [
    figure('Searches', grouped(searches.total), 'since the start'),
    figure('Rate', `${grouped(searches.perMinute)}/min`, 'last minute'),
    figure('Median time', time(searches.medianMs), 'last minute'),
    figure('95 % within', time(searches.p95Ms), 'last minute'),
  ];
  const title = 'Searches';
  if (!queries)
    return panel(
      'searches',
      title,
      figures,
      [],
      'Queries are not counted. The setting suggest.queries = on counts them, and shows the most frequent here.',
    );
  return panel('searches', title, figures, [
    countTable('Most frequent queries', 'Searches', queries.withResults, 'No query was counted yet.'),
    countTable('Queries without results', 'Searches', queries.withoutResults, 'Every query had results.'),
  ]);
}

function resourcesPanel({ memory, disk, at }: LiveSnapshot): LivePanel {
  const share = memory.limitBytes > 0 ? Math.round((100 * memory.usedBytes) / memory.limitBytes) : 0;
  const figures = [
    figure('Memory', sizeText(memory.usedBytes), `${share} % of ${sizeText(memory.limitBytes)}`),
  ];
  if (!disk) return panel('resources', 'Memory and disk', figures, []);
  figures.push(figure('Data', sizeText(disk.dataBytes), growthOf(disk)));
  figures.push(
    figure(
      'Free disk',
      sizeText(disk.freeBytes),
      disk.fullAt === null ? '' : `full ${whenText(disk.fullAt, at)}`,
    ),
  );
  return panel('resources', 'Memory and disk', figures, [], forecastOf(disk, at));
}

function growthOf({ bytesPerDay }: NonNullable<LiveSnapshot['disk']>): string {
  if (bytesPerDay === null) return '';
  return bytesPerDay <= 0 ? 'not growing' : `+${sizeText(bytesPerDay)} a day`;
}

function forecastOf(disk: NonNullable<LiveSnapshot['disk']>, at: number): string {
  const { bytesPerDay, fullAt, observedMs } = disk;
  if (bytesPerDay === null) return 'The forecast needs a minute of observation.';
  if (fullAt === null) return `The data has not grown in the last ${spanText(observedMs)}.`;
  return `At the rate of the last ${spanText(observedMs)}, the disk is full ${whenText(fullAt, at)}.`;
}

function panel(id: string, title: string, figures: LiveFigure[], tables: LiveTable[], note = ''): LivePanel {
  return { id, title, figures, tables, note };
}

function figure(name: string, value: string, hint = ''): LiveFigure {
  return { name, value, hint };
}

function countTable(name: string, counted: string, counts: readonly NamedCount[], empty: string): LiveTable {
  const greatest = Math.max(1, ...counts.map(([, count]) => count));
  const rows = counts.map(([text, count]) => ({ cells: [text, grouped(count)], share: count / greatest }));
  return { caption: name, columns: [name, counted], rows, empty };
}
