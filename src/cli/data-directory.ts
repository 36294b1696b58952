/**
 * `--data DIR`: one directory holds all that an engine has. `gyre.json` in it says what it is:
 * the format version, and what the crawl was given, so that a restart needs no arguments.
 *
 *   gyre.json            {"format":1,"seeds":["https://example.org/"],"contact":"mailto:…","samplePort":null}
 *   crawl.db             the crawl's state; crawl.db-wal and crawl.db-shm are SQLite's, while it is open
 *   seen.log             the URLs that are known
 *   dedup/near.keys      sketches of pages, to tell near duplicates
 *   dedup/near.bins
 *   crawl.log            a line for every answer; crawl.log.1 is the one before
 *   control.json         what the crawl is asked to do
 *   crawl.lock           who is at work: see below; crawl.lock-journal is SQLite's
 *   index.lock           likewise; index.lock-journal
 *   cookie.key           32 random bytes in base64url, a line: signs the cookie with a searcher's preferences
 *   profile.json         the ranking, if `gyre tune --install` has left one
 *   archive/             *.warc.gz or *.warc.zst, *.cdxj
 *   journal/             *.journal, generation.json
 *   graph/               run-*.links, links-*.graph, hostlinks-*.graph, nodes-*.urls, anchors-*.anchors, hosts-*.hosts,
 *                        ranks-*.ranks
 *   index/               manifest.json, seg-*.seg, seg-*.del-*, seg-*.rank-*, seg-*.anchor-*
 *   words/               phrases.gyre, vocabulary.gyre, synonyms.gyre, queries.gyre
 *
 * `gyre up` and `gyre crawl` write gyre.json; a directory that was only imported into has none, and is of format 1.
 * A name that ends in `.part` is a file that is still being written. `samplePort` is that of the demonstration's web.
 */
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Directory, directoryAt, messageOf, openDirectory, UsageError } from '../base/mod.ts';

const FILE = 'gyre.json';
const FORMAT = 1;

export interface DataSettings {
  format: number;
  seeds: string[];
  contact: string;
  /** The port of the sample web when this is the demonstration's data; its URLs contain it. */
  samplePort: number | null;
}

export interface DataDirectory {
  root: Directory;
  archive: Directory;
  journal: Directory;
  graph: Directory;
  index: Directory;
  words: Directory;
}

export function openData(path: string): DataDirectory {
  const root = openDirectory(path);
  try {
    accessSync(path, constants.W_OK | constants.R_OK);
  } catch (cause) {
    const advice = 'make it writable or name another one with --data';
    throw new UsageError('directory-unusable', `cannot write to the directory ${path}: ${advice}`, { cause });
  }
  readSettings(root);
  const [archive, journal, graph, index, words] = ['archive', 'journal', 'graph', 'index', 'words'].map(
    (name) => root.directory(name),
  );
  return { root, archive: archive!, journal: journal!, graph: graph!, index: index!, words: words! };
}

/** The outermost directory that opening `path` would make, to be taken back if nothing comes of it; null if there is none. */
export function missingPart(path: string): string | null {
  if (existsSync(path)) return null;
  return missingPart(dirname(resolve(path))) ?? resolve(path);
}

/** For commands that only look: nothing is created or changed. */
export function readData(path: string): DataDirectory {
  if (!existsSync(path)) {
    throw new UsageError('no-data', `there is no directory ${path}: crawl first, or name it with --data`);
  }
  const root = directoryAt(path);
  readSettings(root);
  const below = (name: string) => directoryAt(join(path, name));
  return {
    root,
    archive: below('archive'),
    journal: below('journal'),
    graph: below('graph'),
    index: below('index'),
    words: below('words'),
  };
}

/** For commands that work on what a crawl has left. */
export function openExistingData(path: string): DataDirectory {
  readData(path);
  return openData(path);
}

/** `; the demonstration is in data/demo`, if it is: who names no directory may mean that. */
export function demoHint(path: string): string {
  const demo = join(path, 'demo');
  return existsSync(demo) ? `; the demonstration is in ${demo}` : '';
}

export function readSettings(root: Directory): DataSettings {
  if (!root.has(FILE)) return { format: FORMAT, seeds: [], contact: '', samplePort: null };
  const settings = parseSettings(root);
  if (settings.format > FORMAT) {
    throw new UsageError(
      'newer-format',
      `${root.path} was written by a newer Gyre (format ${settings.format}, this one reads ${FORMAT}): upgrade Gyre or name another directory with --data`,
    );
  }
  return settings;
}

export function writeSettings(root: Directory, settings: DataSettings): void {
  root.replace(FILE, Buffer.from(`${JSON.stringify(settings, null, 2)}\n`));
}

function parseSettings(root: Directory): DataSettings {
  try {
    const settings = JSON.parse(root.read(FILE).toString()) as DataSettings;
    if (typeof settings.format === 'number' && Array.isArray(settings.seeds)) return settings;
    throw new Error('it lacks "format" or "seeds"');
  } catch (cause) {
    const advice = 'restore it, or name another directory with --data';
    throw new UsageError(
      'bad-settings',
      `${root.path}/${FILE} is unreadable (${messageOf(cause)}): ${advice}`,
      { cause },
    );
  }
}
