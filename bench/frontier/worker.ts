/**
 * Runs as a separate process of bench:frontier and prints a line of JSON.
 *
 *   grow DIR FROM TO PAGES   grows to FROM known URLs, visits PAGES pages, grows to TO, visits PAGES again
 *   restart DIR              opens the state and prints the time until a host was ready for a request
 */
import { FrontierCrawl } from './crawl.ts';

export interface Window {
  known: number;
  pagesPerSecond: number;
  cpuSecondsPer1000: number;
}

const [mode, directory, from, to, pages] = process.argv.slice(2) as [string, string, ...string[]];
const crawl = await FrontierCrawl.open(directory);
if (mode === 'grow') {
  await crawl.seed();
  const windows = [await windowAt(Number(from)), await windowAt(Number(to))];
  console.log(JSON.stringify({ windows, heldHosts: crawl.heldHosts }));
} else {
  const isReady = await crawl.isReady();
  // The time is counted from the start of the process, because loading the program is part of a restart.
  console.log(JSON.stringify({ isReady, known: crawl.knownCount, readySeconds: performance.now() / 1000 }));
}
crawl.close();
process.exit();

async function windowAt(known: number): Promise<Window> {
  await crawl.visit(true, () => crawl.knownCount >= known);
  const at = crawl.knownCount;
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  const visited = await crawl.visit(false, (count) => count >= Number(pages));
  const { user, system } = process.cpuUsage(cpu);
  return {
    known: at,
    pagesPerSecond: visited / ((performance.now() - startedAt) / 1000),
    cpuSecondsPer1000: (user + system) / 1000 / visited,
  };
}
