/**
 * Writes request metrics in the text format 0.0.4 of Prometheus: a HELP and a TYPE line per metric, then
 * samples.
 *
 *   gyre_http_requests_total{route="/search",status="200"} 17
 *
 * The `route` label is the pattern of a registered route, never the requested path, so the number of series
 * is bounded.
 */

export interface Gauge {
  name: string;
  help: string;
  value: number;
  labels?: Record<string, string>;
}

/** The upper bounds of the histogram of response times, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

interface Timing {
  /**
   * The number of requests in each bucket. It has one entry more than BUCKETS, for requests slower than all
   * bounds.
   */
  counts: number[];
  sumSeconds: number;
}

/** The routes whose requests are searches. */
const SEARCH_ROUTES = ['/search', '/api/v1/search'];

/** The number of searches by their time: one count per bound, and one for longer searches. */
export interface SearchTimings {
  counts: readonly number[];
  boundsSeconds: readonly number[];
}

export class RequestMetrics {
  readonly #requests = new Map<string, number>();
  readonly #timings = new Map<string, Timing>();

  observe(route: string, status: number, seconds: number): void {
    const series = labelText({ route, status: String(status) });
    this.#requests.set(series, (this.#requests.get(series) ?? 0) + 1);
    const timing = this.#timings.get(route) ?? {
      counts: new Array(BUCKETS.length + 1).fill(0),
      sumSeconds: 0,
    };
    this.#timings.set(route, timing);
    const bucket = BUCKETS.findIndex((bound) => seconds <= bound);
    timing.counts[bucket < 0 ? BUCKETS.length : bucket]! += 1;
    timing.sumSeconds += seconds;
  }

  /** Returns the times of all searches since the start, from the same counts as the histogram. */
  searchTimings(): SearchTimings {
    const counts: number[] = new Array(BUCKETS.length + 1).fill(0);
    for (const route of SEARCH_ROUTES)
      for (const [bucket, count] of this.#timings.get(route)?.counts.entries() ?? [])
        counts[bucket]! += count;
    return { counts, boundsSeconds: BUCKETS };
  }

  render(): string {
    const name = 'gyre_http_requests_total';
    const requests = [...this.#requests].map(([series, count]) => `${name}${series} ${count}\n`);
    const timings = [...this.#timings].map(([route, timing]) => renderTiming(route, timing));
    return (
      heading(name, 'counter', 'Requests answered, by route and status.') +
      requests.join('') +
      heading(DURATION, 'histogram', 'Time from a request to the end of its answer.') +
      timings.join('')
    );
  }
}

const DURATION = 'gyre_http_request_duration_seconds';

export function renderGauges(gauges: readonly Gauge[]): string {
  return gauges
    .map(({ name, help, value, labels }, index) => {
      const type = name.endsWith('_total') ? 'counter' : 'gauge';
      // Samples of one metric follow one another, so the heading is written before the first of them only.
      const head = gauges[index - 1]?.name === name ? '' : heading(name, type, help);
      return `${head}${name}${labels ? labelText(labels) : ''} ${value}\n`;
    })
    .join('');
}

function renderTiming(route: string, timing: Timing): string {
  let below = 0;
  let text = '';
  for (const [at, count] of timing.counts.entries()) {
    below += count;
    text += `${DURATION}_bucket${labelText({ route, le: String(BUCKETS[at] ?? '+Inf') })} ${below}\n`;
  }
  const series = labelText({ route });
  return `${text}${DURATION}_sum${series} ${timing.sumSeconds}\n${DURATION}_count${series} ${below}\n`;
}

function heading(name: string, type: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

function labelText(labels: Record<string, string>): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return `{${parts.join(',')}}`;
}

function escapeLabel(value: string): string {
  return value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
}
