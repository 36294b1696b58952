/**
 * Draws charts as SVG: grouped bars, and lines. The colours follow the reader's preference for light or dark, and the
 * background is transparent.
 */

export interface Bars {
  title: string;
  /** The unit of the values, shown below the title. */
  unit: string;
  /** The names of the bars in each group. */
  series: readonly string[];
  /** The groups of bars. A value of null has no bar. */
  groups: readonly { label: string; values: readonly (number | null)[] }[];
}

export interface Lines {
  title: string;
  unit: string;
  /** The label of the horizontal axis. */
  across: string;
  /** True if the vertical axis is logarithmic. All values must then be above 0. */
  isLogarithmic?: boolean;
  series: readonly { name: string; points: readonly (readonly [x: number, y: number])[] }[];
}

const WIDTH = 720;
const LABEL_WIDTH = 170;
const VALUE_WIDTH = 70;
const BAR_HEIGHT = 16;
const GROUP_GAP = 12;
const TOP = 64;
const PLOT_HEIGHT = 260;
const AXIS_TICKS = 5;
/** The colours of each series: one on a light and one on a dark background. */
const COLOURS = [
  ['#1f6feb', '#6cb6ff'],
  ['#bc4c00', '#f69d50'],
  ['#1a7f37', '#57ab5a'],
  ['#8250df', '#dcbdfb'],
];
const STYLE = `text { font: 13px system-ui, sans-serif; fill: #1f2328 } .head { font-weight: 600; font-size: 15px }
.faint { fill: #59636e } .axis { stroke: #818b98; stroke-opacity: 0.4 } .line { fill: none; stroke-width: 2 }
${COLOURS.map(([light], n) => `.fill${n} { fill: ${light} } .stroke${n} { stroke: ${light} }`).join(' ')}
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .faint { fill: #9198a1 }
${COLOURS.map(([, dark], n) => `.fill${n} { fill: ${dark} } .stroke${n} { stroke: ${dark} }`).join(' ')} }`;

export function drawBars({ title, unit, series, groups }: Bars): string {
  const largest = Math.max(...groups.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const scale = (WIDTH - LABEL_WIDTH - VALUE_WIDTH) / largest;
  const groupHeight = series.length * BAR_HEIGHT + GROUP_GAP;
  const marks = groups.flatMap(({ label, values }, group) => {
    const y = TOP + group * groupHeight;
    const middle = y + (series.length * BAR_HEIGHT) / 2 + 4;
    const bars = values.flatMap((value, at) => {
      if (value === null) return [];
      const [top, width] = [y + at * BAR_HEIGHT, Math.max(1, value * scale)];
      return [
        `<rect class="fill${at}" x="${LABEL_WIDTH}" y="${top}" width="${round(width)}" height="${BAR_HEIGHT - 2}"/>`,
        text(LABEL_WIDTH + width + 6, top + BAR_HEIGHT - 4, show(value)),
      ];
    });
    return [text(LABEL_WIDTH - 10, middle, label, 'end'), ...bars];
  });
  return svg(TOP + groups.length * groupHeight, title, [...heading(title, unit, series), ...marks]);
}

export function drawLines({ title, unit, across, isLogarithmic = false, series }: Lines): string {
  const all = series.flatMap(({ points }) => points);
  const [right, top] = [Math.max(...all.map(([x]) => x)), Math.max(...all.map(([, y]) => y))];
  const bottom = isLogarithmic ? Math.min(...all.map(([, y]) => y)) : 0;
  const height = (y: number) =>
    isLogarithmic ? Math.log(y / bottom) / Math.log(top / bottom) : (y - bottom) / (top - bottom);
  const left = 70;
  const xOf = (x: number) => round(left + (x / right) * (WIDTH - left - 40));
  const yOf = (y: number) => round(TOP + (1 - height(y)) * PLOT_HEIGHT);
  const ticks = Array.from({ length: AXIS_TICKS }, (_, n) => {
    const share = n / (AXIS_TICKS - 1);
    return isLogarithmic ? bottom * (top / bottom) ** share : bottom + share * (top - bottom);
  });
  const grid = ticks.flatMap((value) => [
    `<line class="axis" x1="${left}" x2="${WIDTH - 40}" y1="${yOf(value)}" y2="${yOf(value)}"/>`,
    text(left - 8, yOf(value) + 4, show(value), 'end'),
  ]);
  const xs = [...new Set(all.map(([x]) => x))];
  const labels = xs.map((x) => text(xOf(x), TOP + PLOT_HEIGHT + 20, show(x), 'middle'));
  const lines = series.flatMap(({ points }, n) => [
    `<polyline class="line stroke${n}" points="${points.map(([x, y]) => `${xOf(x)},${yOf(y)}`).join(' ')}"/>`,
    ...points.map(([x, y]) => `<circle class="fill${n}" cx="${xOf(x)}" cy="${yOf(y)}" r="4"/>`),
  ]);
  const names = series.map(({ name }) => name);
  const axis = text(WIDTH - 40, TOP + PLOT_HEIGHT + 40, across, 'end', 'faint');
  return svg(TOP + PLOT_HEIGHT + 50, title, [
    ...heading(title, unit, names),
    ...grid,
    ...labels,
    ...lines,
    axis,
  ]);
}

/** Draws the title and, below it, the unit and the names of the series with their colours. */
function heading(title: string, unit: string, series: readonly string[]): string[] {
  const parts = [text(0, 18, title, 'start', 'head'), text(0, 42, unit, 'start', 'faint')];
  let x = LABEL_WIDTH;
  for (const [n, name] of series.entries()) {
    parts.push(`<rect class="fill${n}" x="${x}" y="31" width="12" height="12"/>`, text(x + 18, 42, name));
    x += 36 + name.length * 8;
  }
  return parts;
}

function text(x: number, y: number, content: string, anchor = 'start', style = ''): string {
  const attributes = style === '' ? '' : ` class="${style}"`;
  return `<text${attributes} x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escapeXml(content)}</text>`;
}

function svg(height: number, title: string, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${Math.ceil(height)}" role="img">
<title>${escapeXml(title)}</title>
<style>${STYLE}</style>
${parts.join('\n')}
</svg>
`;
}

function escapeXml(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function show(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
