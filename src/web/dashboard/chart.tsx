/** One chart: a title, the present values (or those below the pointer), and lines drawn by uPlot. */
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';

export interface ChartSeries {
  name: string;
  /** Names of CSS variables. */
  colour: string;
  fill?: string;
  isDashed?: boolean;
  values: readonly (number | null)[];
}

interface ChartProps {
  title: string;
  write(value: number): string;
  /** True if the grid lines are at powers of two. */
  isBytes: boolean;
  /** Times in seconds. */
  times: readonly number[];
  series: readonly ChartSeries[];
}

const HEIGHT = 150;
const AXIS_WIDTH = 58;
const POWERS = Array.from({ length: 50 }, (_, power) => 2 ** power);

export function Chart(props: ChartProps) {
  const { title, write, times, series } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const data = [times, ...series.map(({ values }) => values)] as uPlot.AlignedData;

  useEffect(() => {
    const parent = place.current!;
    const draw = () => {
      plot.current?.destroy();
      plot.current = new uPlot(optionsOf(parent, props, setPointed), data, parent);
    };
    draw();
    const fit = new ResizeObserver(() =>
      plot.current?.setSize({ width: parent.clientWidth, height: HEIGHT }),
    );
    fit.observe(parent);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    return () => {
      scheme.removeEventListener('change', draw);
      fit.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, []);
  useEffect(() => plot.current?.setData(data), [data]);

  const at = pointed ?? times.length - 1;
  const values = series.map(({ name, colour, values }) => ({
    name,
    colour,
    text: textOf(values[at], write),
  }));
  const spoken = values.map(({ name, text }) => `${name} ${text}`).join(', ');
  return (
    <section class="card chart">
      <h2>{title}</h2>
      <p class="legend">
        {values.map(({ name, colour, text }) => (
          <span key={name}>
            <i class="swatch" data-colour={colour} />
            {name} <b>{text}</b>
          </span>
        ))}
      </p>
      <div class="plot" ref={place} role="img" aria-label={`Chart of the last ten minutes. Now: ${spoken}`} />
    </section>
  );
}

function textOf(value: number | null | undefined, write: (value: number) => string): string {
  return value === null || value === undefined ? '–' : write(value);
}

function optionsOf(
  parent: HTMLElement,
  { series, write, isBytes }: ChartProps,
  onPoint: (at: number | null) => void,
): uPlot.Options {
  const style = getComputedStyle(parent);
  const colourOf = (name: string) => resolvedColour(parent, name);
  const axis = {
    stroke: colourOf('--soft'),
    font: `11px ${style.fontFamily}`,
    grid: { stroke: colourOf('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: parent.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
    scales: { y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.1 : 1] } },
    axes: [
      { ...axis, space: 70, size: 26, values: (_plot, splits) => splits.map(clockText) },
      {
        ...axis,
        space: 34,
        size: AXIS_WIDTH,
        gap: 6,
        ...(isBytes && { incrs: POWERS }),
        values: (_plot, splits) => splits.map(write),
      },
    ],
    series: [
      {},
      ...series.map(({ name, colour, fill, isDashed }) => ({
        label: name,
        stroke: colourOf(colour),
        width: 1.75,
        ...(fill && { fill: colourOf(fill) }),
        ...(isDashed && { dash: [5, 4] }),
        points: { show: false },
      })),
    ],
    hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? null)] },
  };
}

/** Returns the value of a CSS variable with a colour, as the canvas needs it: without `light-dark()`. */
function resolvedColour(parent: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  parent.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

function clockText(seconds: number): string {
  const date = new Date(seconds * 1000);
  const two = (number: number) => String(number).padStart(2, '0');
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}`;
  return date.getSeconds() === 0 ? clock : `${clock}:${two(date.getSeconds())}`;
}
