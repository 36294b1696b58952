/** Makes docs/benchmarks.md and its charts from the raw data in docs/benchmarks/. */
import { join } from 'node:path';
import { markdownTable } from '../markdown-table.ts';
import { RAW_DATA, type RawRun, readRun } from './raw-data.ts';
import { SECTIONS, type Section, type ShownTable } from './sections.ts';

/** Returns the page and the charts as files. Sections without raw data are left out. */
export function benchmarksDocs(): { file: string; content: string }[] {
  const measured = SECTIONS.flatMap((section) => {
    const run = readRun(section.name);
    return run ? { section, run } : [];
  });
  const charts = measured.flatMap(({ section, run }) => Object.entries(section.charts(run.output)));
  const page = benchmarksPage(measured);
  return [
    { file: join(RAW_DATA, '..', 'benchmarks.md'), content: page },
    ...charts.map(([name, { svg }]) => ({ file: join(RAW_DATA, `${name}.svg`), content: svg })),
  ];
}

export function benchmarksPage(measured: readonly { section: Section; run: RawRun }[]): string {
  return `# Benchmarks

<!-- Written by npm run bench:all, and by npm run docs from docs/benchmarks/*.json; edit bench/page/. -->

This page has the speed of the whole engine on real pages, beside rivals in the same run. Compare ratios: the absolute figures
depend on the machine, and other work on it. The quality of the results is on [another page](relevance.md).

This command runs all benchmarks and writes this page, in about twenty minutes on two free cores:

\`\`\`sh
npm run bench:all -- --data DATA [--dir DIR] [--queries FILE]…
\`\`\`

DATA is a data directory with crawled, indexed and ranked pages. DIR describes a web of real pages that is being served
(\`gyre.json\` and \`seeds.txt\`, see [contributing](../CONTRIBUTING.md#real-pages)); without it, documentation packages are downloaded. FILE
has judged queries; titles of pages are added to them, up to 300 queries. \`--only NAME\` runs some benchmarks: ${SECTIONS.map(({ name }) => `\`${name}\``).join(', ')}.
Rivals are installed when they are first needed, except Lucene, which is Debian's \`liblucene8-java\`. The raw data are in
[docs/benchmarks/](benchmarks/).

${measured.map(({ section, run }) => sectionOf(section, run)).join('\n\n')}
`;
}

function sectionOf(section: Section, run: RawRun): string {
  const { output } = run;
  const tables = section.tables(output).filter(({ rows }) => rows.length > 0);
  const charts = Object.entries(section.charts(output)).map(
    ([name, { alt }]) => `![${alt}](benchmarks/${name}.svg)`,
  );
  const ratios = Object.entries(output.ratios).map(([name, value]) => [`\`${name}\``, show(value)]);
  return [
    `## ${section.title}`,
    section.about,
    circumstancesOf(run),
    ...tables.map(tableOf),
    ...(ratios.length > 0 ? [markdownTable(['ratio', 'value'], ratios)] : []),
    ...charts,
  ].join('\n\n');
}

function circumstancesOf({ command, measuredOn, seconds, machine }: RawRun): string {
  const { cpu, cores, memoryGB, system, node, loadBefore } = machine;
  const where = `${cpu}, ${cores} cores, ${memoryGB} GB, ${system}, Node ${node}`;
  const busy = ` Other work shared the processors (load ${loadBefore} at the start): compare processor times; other figures are distorted.`;
  return `\`${command}\`: ${measuredOn}, ${minutes(seconds)}; ${where}.${loadBefore > cores / 2 ? busy : ''}`;
}

/** Renders a table. Leaves out columns without any value. */
function tableOf({ rows, columns }: ShownTable): string {
  const shown = Object.entries(columns).filter(([column]) =>
    rows.some((row) => row[column] !== undefined && row[column] !== null),
  );
  const head = ['', ...shown.map(([, heading]) => heading)];
  return markdownTable(
    head,
    rows.map((row) => [row.name, ...shown.map(([column]) => show(row[column]))]),
  );
}

function show(value: string | number | null | undefined): string {
  if (typeof value !== 'number') return value ?? '';
  return String(Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3)));
}

function minutes(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} minutes`;
}
