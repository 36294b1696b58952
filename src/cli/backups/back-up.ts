/**
 * Copies a data directory, also while a crawl writes and an index is built in it. The copy is a data directory
 * as a crash could have left it, and every command can use it.
 *
 *   index, lexicons, graph, vectors   first, so that they know no journal file that the copy lacks
 *   crawl.db                          as of one commit
 *   archive, journal                  up to this commit
 *   standing.db                       as of one moment
 *   settings, removals, keys, logs
 *   backup.json                       last: a copy without it is incomplete
 *
 * `seen.log`, `seen/` and `dedup/` are left out, because the crawl rebuilds them. If the journal is rebuilt or purged
 * meanwhile, the backup fails, because files of two generations do not belong together.
 */
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  type Directory,
  GyreError,
  openDirectory,
  parseSealedJson,
  sealJson,
  UsageError,
} from '../../base/mod.ts';
import { copyCrawlState, hasCrawlState } from '../../crawl/mod.ts';
import { copyStanding } from '../../standing/mod.ts';
import { readExistingData } from '../data-directory.ts';
import { VERSION } from '../version.ts';
import { copyCommitted, copyFolder } from './copy-files.ts';

const FILE = 'backup.json';
const GENERATION = 'generation.json';
const MANIFEST = 'manifest.json';
/** The number of attempts to copy an index whose manifest changes meanwhile. */
const INDEX_ATTEMPTS = 20;
/** Matches files in the data directory that a copy does not need: locks, a pause command, and databases. */
const LEFT_OUT =
  /^(?:crawl\.db.*|standing\.db.*|seen\.log|control\.json|backup\.json|.*\.lock(?:-journal)?)$/;

/** Copies the data directory `path` into the directory `target`, which must be empty or not exist. */
export async function backUp(path: string, target: string): Promise<void> {
  const data = readExistingData(path);
  refuseUsed(target);
  const to = openDirectory(target);
  const generation = generationOf(data.journal);
  copyIndex(data.index, join(target, 'index'));
  for (const part of [data.words, data.graph, data.meaning]) copyPart(part, target);
  for (const name of ['politeness', 'topics', 'profiles', 'judgements'])
    if (data.root.has(name)) copyPart(data.root.directory(name), target);
  if (hasCrawlState(data.root)) {
    const marks = await copyCrawlState(data.root, to);
    if (marks) {
      copyCommitted({ from: data.archive.path, to: join(target, 'archive') }, marks.warc);
      copyCommitted({ from: data.journal.path, to: join(target, 'journal') }, marks.journal);
    }
  } else for (const part of [data.archive, data.journal]) copyPart(part, target);
  if (generationOf(data.journal) !== generation) {
    throw new GyreError(
      'journal-changed',
      `the journal was rebuilt or purged during the backup: delete ${target} and back up again`,
    );
  }
  await copyStanding(data.root, to);
  copyRoot(data.root, target);
  to.replace(FILE, sealJson({ version: VERSION, createdAt: new Date().toISOString() }));
}

/** Copies a complete backup to a data directory that is empty or does not exist. */
export function restore(from: string, path: string): void {
  if (!existsSync(join(from, FILE))) {
    throw new UsageError(
      'no-backup',
      `${from} is not a complete backup: expected the file ${FILE}, which gyre backup writes last`,
    );
  }
  refuseUsed(path);
  const keys = ['version', 'createdAt'];
  const advice = 'use another backup';
  parseSealedJson(openDirectory(from).read(FILE), { file: join(from, FILE), keys, advice });
  cpSync(from, path, { recursive: true, filter: (file) => basename(file) !== FILE });
}

/**
 * Copies the files of the index, and the manifest last. If the manifest has changed meanwhile, files that it lists may
 * be missing, so the rest is copied again. Segments never change, so those that are already copied stay.
 */
function copyIndex(index: Directory, to: string): void {
  if (!existsSync(index.path) || !index.has(MANIFEST)) return;
  for (let attempt = 0; attempt < INDEX_ATTEMPTS; attempt++) {
    const manifest = index.read(MANIFEST);
    copyFolder({ from: index.path, to }, (name) => name !== MANIFEST && !existsSync(join(to, name)));
    if (!index.read(MANIFEST).equals(manifest)) continue;
    openDirectory(to).replace(MANIFEST, manifest);
    return;
  }
  throw new GyreError('index-changes', 'the index changes faster than it can be copied: back up again later');
}

function copyPart(part: Directory, target: string): void {
  if (existsSync(part.path)) copyFolder({ from: part.path, to: join(target, basename(part.path)) });
}

/** Copies the files directly in the data directory. Secrets keep their access rights. */
function copyRoot(root: Directory, target: string): void {
  copyFolder({ from: root.path, to: target }, (name) => !LEFT_OUT.test(name));
}

/** Returns the bytes that name the valid files of the journal; they change when it is rebuilt or purged. */
function generationOf(journal: Directory): string {
  return existsSync(journal.path) && journal.has(GENERATION)
    ? journal.read(GENERATION).toString('latin1')
    : '';
}

function refuseUsed(target: string): void {
  if (!existsSync(target) || readdirSync(target).length === 0) return;
  throw new UsageError(
    'directory-used',
    `${target} has files: name a directory that is empty or does not exist`,
  );
}
