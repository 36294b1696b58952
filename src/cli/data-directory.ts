/**
 * The data directory, `--data DIR`, holds all files of an engine. Its `gyre.json` contains the format version
 * and the settings of the crawl (seeds, their collections and contact), so that a restart needs no arguments.
 *
 *   gyre.json            {"format":1,"seeds":["https://example.org/"],"contact":"mailto:…","samplePort":null,"checksum":…}
 *   crawl.db             the crawl state; SQLite adds crawl.db-wal and crawl.db-shm while it is open
 *   crawl.db.seal        checksums of crawl.db, while it is closed
 *   seen.log             fingerprints of all known URLs
 *   dedup/near.keys      sketches of pages, to find near duplicates
 *   dedup/near.bins
 *   crawl.log            one line per response; crawl.log.1 is the previous file
 *   politeness/          *.jsonl, one per day: requests, bytes and delays of hosts
 *   control.json         a pause or stop command for the crawl
 *   removed.json         the URLs that the operator removed
 *   opt-outs.json        requests of site owners that wait for the operator
 *   requested.json       URLs and hosts that people asked the crawl to fetch now
 *   settings.json        settings that the operator changed in the dashboard
 *   audit.log            one line per action of an operator
 *   accounts.json        who may administer the engine: hashes of passwords and keys
 *   crawl.lock           lock between processes; SQLite adds crawl.lock-journal
 *   index.lock           likewise, with index.lock-journal; accounts.lock, judgements.lock, opt-outs.lock,
 *                        profiles.lock, removed.lock, requested.lock, settings.lock and standing.lock likewise
 *   cookie.key           32 random bytes in base64url: the key that signs preference cookies
 *   profiles.json        which ranking profile is in force, and which were before
 *   standing.db          standing queries and what they found; SQLite adds standing.db-journal while it writes
 *   standing/            an index of new pages, while standing queries are searched in them
 *   archive/             *.warc.gz or *.warc.zst, *.cdxj
 *   journal/             *-main.journal, generation.json
 *   graph/               run-main-*.links, links-*.graph, hostlinks-*.graph, nodes-*.urls, anchors-*.anchors, hosts-*.hosts,
 *                        ranks-*.ranks
 *   index/               manifest.json, versions-*.gyre, seg-*.seg, seg-*.del-*, seg-*.rank-*, seg-*.anchor-*, seg-*.vec-*,
 *                        seg-*.lex-*
 *   words/               phrases.gyre, synonyms.gyre, queries.gyre
 *   topics/              *.topic
 *   profiles/            *.json: ranking profiles with the records of their evaluation
 *   judgements/          queries.tsv, qrels.txt: judged queries
 *   meaning/             model.gyre, batch-*.vectors, progress.json
 *
 * `gyre up` and `gyre crawl` write gyre.json, sealed as described in base/files/sealed-json.ts. To edit it by
 * hand, remove the key "checksum". A directory that only imports have written to has no gyre.json; it counts as
 * format 1. A name that ends in `.part` is a file that is still being written. `samplePort` is the port of the
 * demonstration's sample web.
 */
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  CorruptError,
  type Directory,
  directoryAt,
  openDirectory,
  parseSealedJson,
  sealJson,
  UsageError,
} from '../base/mod.ts';
import {
  COLLECTION_AREAS,
  type CollectionArea,
  type CollectionSeed,
  readCollectionName,
} from '../page/mod.ts';
import { canonicalize } from '../url/mod.ts';
import { commandFor } from './advice.ts';

const FILE = 'gyre.json';
const CRAWL_STATE = 'crawl.db';
const FORMAT = 1;
const KEYS = ['format', 'seeds', 'collections', 'contact', 'samplePort'];
function adviceFor(file: string): string {
  return `if you edited it, remove the key "checksum"; otherwise delete ${file} and name the seeds again with gyre up SEED`;
}

export interface DataSettings {
  format: number;
  seeds: string[];
  /** The collections of the seeds, if any. */
  collections?: CollectionSeed[];
  contact: string;
  /** The port of the sample web, which is part of its URLs; null if this is not the demonstration's data. */
  samplePort: number | null;
}

export interface DataDirectory {
  root: Directory;
  archive: Directory;
  journal: Directory;
  graph: Directory;
  index: Directory;
  words: Directory;
  /** Directory of page vectors that are not in the index yet, and of the model that computes them. */
  meaning: Directory;
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
  return partsOf(root, (name) => root.directory(name));
}

function partsOf(root: Directory, open: (name: string) => Directory): DataDirectory {
  const [archive, journal, graph] = [open('archive'), open('journal'), open('graph')];
  return {
    root,
    archive,
    journal,
    graph,
    index: open('index'),
    words: open('words'),
    meaning: open('meaning'),
  };
}

/**
 * Returns the outermost directory that opening `path` would create, so that the caller can remove it on
 * failure; null if `path` exists.
 */
export function missingPart(path: string): string | null {
  if (existsSync(path)) return null;
  return missingPart(dirname(resolve(path))) ?? resolve(path);
}

/** Opens a data directory for commands that only read: creates and changes nothing. */
export function readData(path: string): DataDirectory {
  const data = openDamagedData(path);
  readSettings(data.root);
  return data;
}

/**
 * Opens a data directory for `gyre doctor`, even if its gyre.json is damaged. Missing directories are created only
 * with `create`.
 */
export function openDamagedData(path: string, { create = false } = {}): DataDirectory {
  if (!existsSync(path)) {
    throw new UsageError(
      'no-data',
      `directory ${path} does not exist: run gyre crawl first, or choose another directory with --data`,
    );
  }
  return partsOf(directoryAt(path), (name) => (create ? openDirectory : directoryAt)(join(path, name)));
}

/** Opens the data of an earlier crawl or import for commands that only read. Throws if there is none. */
export function readExistingData(path: string): DataDirectory {
  const data = readData(path);
  const { root, archive, journal, index } = data;
  const hasFiles = [archive, journal, index].some((part) => existsSync(part.path) && !part.isEmpty());
  if (!hasFiles && !root.has(CRAWL_STATE)) throw noData(path);
  return data;
}

function noData(path: string): UsageError {
  const advice = `run ${commandFor('up', path)}, or choose another directory with --data${demoHint(path)}`;
  return new UsageError('no-data', `${path} has no crawl and no import: ${advice}`);
}

/**
 * Opens the data directory of an earlier crawl or import. Throws if there is none, without creating anything.
 */
export function openExistingData(path: string): DataDirectory {
  readExistingData(path);
  return openData(path);
}

/**
 * Returns the text `; the demonstration is in data/demo` if that directory exists. It is a hint for users who gave no
 * --data.
 */
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
      `${root.path} was written by a newer Gyre (format ${settings.format}, this one reads ${FORMAT}): upgrade Gyre or choose another directory with --data`,
    );
  }
  return settings;
}

export function writeSettings(root: Directory, settings: DataSettings): void {
  root.replace(FILE, sealJson(settings));
}

/**
 * Parses gyre.json strictly, because a crawl depends on it: every seed must be a canonical URL, and the checksum,
 * if there is one, must match.
 */
function parseSettings(root: Directory): DataSettings {
  const file = join(root.path, FILE);
  const advice = adviceFor(file);
  const value = parseSealedJson(root.read(FILE), { file, keys: KEYS, advice });
  const { format, seeds, collections = [], contact = '', samplePort = null } = value as Partial<DataSettings>;
  const problem = problemOf({ format, seeds, collections, contact, samplePort });
  if (problem !== null) throw new CorruptError(file, 0, problem.expected, problem.got, advice);
  return {
    ...{ format: format!, seeds: seeds!, contact, samplePort },
    ...(collections.length > 0 && { collections }),
  };
}

function isCollectionSeed(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { name, seed, area } = value as Partial<CollectionSeed>;
  if (typeof name !== 'string' || typeof seed !== 'string') return false;
  return (
    readCollectionName(name) === name &&
    canonicalize(seed) === seed &&
    COLLECTION_AREAS.includes(area as CollectionArea)
  );
}

interface SettingsProblem {
  expected: string;
  got: string;
}

function problemOf(settings: Record<keyof Required<DataSettings>, unknown>): SettingsProblem | null {
  const { format, seeds, collections, contact, samplePort } = settings;
  const got = (value: unknown) => JSON.stringify(value) ?? 'nothing';
  if (!Number.isSafeInteger(format)) return { expected: 'a number as "format"', got: got(format) };
  if (!Array.isArray(seeds)) return { expected: 'a list of URLs as "seeds"', got: got(seeds) };
  const wrong = seeds.find((seed) => typeof seed !== 'string' || canonicalize(seed) !== seed);
  if (wrong !== undefined) return { expected: 'canonical URLs as "seeds"', got: got(wrong) };
  if (!Array.isArray(collections) || !collections.every(isCollectionSeed))
    return { expected: 'objects with name, seed and area as "collections"', got: got(collections) };
  if (typeof contact !== 'string') return { expected: 'a text as "contact"', got: got(contact) };
  const isPort = samplePort === null || (Number.isSafeInteger(samplePort) && (samplePort as number) < 65536);
  return isPort ? null : { expected: 'a port or null as "samplePort"', got: got(samplePort) };
}
