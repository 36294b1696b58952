/**
 * The areas of a data directory that `gyre doctor` checks. Areas are repaired in this order, because each area is
 * made from areas before it.
 *
 *   gyre.json · crawl.db · archive -> journal -> seen.log · dedup · index · graph · words · topics · meaning · standing.db · other files
 *
 * Each area reads all of its files and returns its problems as data. A problem has either a repair, which is a
 * function that other commands use too, or advice.
 */
import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { archiveBytes, checkArchive, rebuildCdx, wholeBytes } from '../../archive/mod.ts';
import { CorruptError, GyreError, type Log, messageOf } from '../../base/mod.ts';
import {
  type CommitMarks,
  type CrawlState,
  checkSeenLog,
  checkSketches,
  checkState,
  openCrawlState,
  rebuildSeenLog,
  rebuildSketches,
  SKETCHES_DIRECTORY,
} from '../../crawl/mod.ts';
import { checkGraph } from '../../graph/mod.ts';
import { filesOf, isManifestReadable, readManifest } from '../../index/mod.ts';
import { findJournalDamage } from '../../journal/mod.ts';
import { type DataDirectory, readSettings } from '../data-directory.ts';
import { counted } from '../output.ts';
import { FORMER_FILE, profileInForce } from '../profiles/mod.ts';
import type { Config } from '../settings/mod.ts';
import { nearDuplicatesOf, readingPlanOf, readLimitOf } from './crawl-session.ts';
import {
  type DoctorFinding,
  type Examined,
  repairable,
  sealedProblem,
  unrepairable,
} from './doctor-findings.ts';
import { examineMeaning, repairMeaning } from './doctor-meaning.ts';
import { examineStanding } from './doctor-standing.ts';
import { journalFromArchive } from './from-archive.ts';
import { buildOnce, rankOnce, repairOnce } from './index-session.ts';

export interface DoctorContext {
  data: DataDirectory;
  config: Config;
  log: Log;
  signal: AbortSignal;
  /** Called with the progress of an area that takes long to check, from 0 to 1. */
  onProgress(area: string, share: number): void;
}

/** State of an examination, which areas pass on to later areas. */
export interface Examination extends DoctorContext {
  /**
   * The valid lengths of the files beside crawl.db; null before crawl.db has been read, and if nothing was committed.
   */
  marks: CommitMarks | null;
}

export interface Area {
  name: string;
  /** Checks the files of an area; returns null if it has none. */
  examine(examination: Examination): Examined | null;
  repair?(examination: Examination, problems: readonly DoctorFinding[]): Promise<void>;
}

const settings: Area = {
  name: 'gyre.json',
  examine({ data }) {
    if (!data.root.has('gyre.json')) return null;
    return { holds: counted(readSettings(data.root).seeds.length, 'seed'), problems: [] };
  },
};

const crawlState: Area = {
  name: 'crawl.db',
  examine(examination) {
    const { data, config } = examination;
    const check = checkState(data.root);
    const advice = `import the archive into another directory: gyre import ${join(config.data, 'archive')}/*.warc.* --data DIR`;
    if (!check?.marks && data.root.has('archive') && !data.archive.isEmpty()) {
      check?.lost.push('the archive has files, but no commit is recorded');
      if (!check)
        return { holds: '', problems: [unrepairable('crawl.db', 'expected a file, got none', advice)] };
    }
    if (!check) return null;
    examination.marks = check.marks;
    return {
      holds: `${counted(check.urls, 'URL')} on ${counted(check.hosts, 'host')}`,
      problems: [
        ...check.lost.map((problem) => unrepairable('crawl.db', problem, advice)),
        ...check.repairable.map((problem) =>
          repairable('crawl.db', problem, 'checks every row, removes what is wrong, counts again'),
        ),
      ],
    };
  },
  async repair({ data }) {
    checkState(data.root, { repair: true });
  },
};

/**
 * The mark that is used as the end of the archive if the marks of the last commit are unknown. All finished
 * files are checked, but not the file that is still being written.
 */
const ALL_FINISHED = { file: Number.MAX_SAFE_INTEGER, length: 0 };

const CUT_ARCHIVE = 'lets the crawl continue after the last whole record; the others are lost';

const archive: Area = {
  name: 'archive',
  examine({ data, onProgress, marks }) {
    const lost = 'the records are lost; what they held is fetched again when its URL is due';
    if (!data.root.has('archive')) {
      if (!marks || (marks.warc.file === 1 && marks.warc.length === 0)) return null;
      return { holds: '', problems: [repairable('archive', 'expected a directory, got none', CUT_ARCHIVE)] };
    }
    const end = marks?.warc ?? ALL_FINISHED;
    const total = archiveBytes(data.archive, end);
    const check = checkArchive(data.archive, end, (done) => onProgress('archive', done / total));
    if (check.files + check.short.length + check.lost.length === 0) return null;
    return {
      holds: `${counted(check.files, 'file')}, ${counted(check.records, 'record')}`,
      problems: [
        ...check.lost.map(({ file, problem }) => unrepairable(`archive/${file}`, problem, lost)),
        ...check.short.map(({ file, problem }) => repairable(`archive/${file}`, problem, CUT_ARCHIVE)),
        ...check.staleCdx.map(({ file, problem }) =>
          repairable(`archive/${file}`, problem, 'rebuilds it from the WARC file'),
        ),
      ],
    };
  },
  async repair(examination, problems) {
    const { data } = examination;
    if (problems.some(({ repair }) => repair === CUT_ARCHIVE)) {
      await commitMarks(examination, async (_state, { warc }) => ({
        warc: { file: warc.file, length: wholeBytes(data.archive, warc) },
      }));
    }
    rebuildCdx(data.archive, examination.marks?.warc ?? ALL_FINISHED);
  },
};

const journal: Area = {
  name: 'journal',
  examine({ data, marks }) {
    if (!data.root.has('journal')) return null;
    const position = isManifestReadable(data.index) ? readManifest(data.index).journal : {};
    const check = findJournalDamage(data.journal, marks?.journal ?? null, position);
    return {
      holds: `${counted(check.files, 'file')}, ${counted(check.records, 'record')}`,
      problems: check.problems.map(({ file, problem }) =>
        repairable(`journal/${file}`, problem, 'rebuilds the journal from the archive'),
      ),
    };
  },
  async repair({ data, config, log, signal }) {
    const reading = readingPlanOf(config, readSettings(data.root));
    const options = { signal, onProgress() {}, reading, limitMs: readLimitOf(config), log };
    const { complete } = await journalFromArchive(data, { ...options, isLocked: true });
    if (complete) await buildOnce(data, config, log, signal, { rebuild: true });
  },
};

const seenLog: Area = {
  name: 'seen.log',
  examine({ data, marks }) {
    if (!marks || marks.seenBytes === 0) return null;
    const holds = counted(marks.seenBytes / 8, 'URL');
    return guarded('seen.log', holds, 'rebuilds it from crawl.db', () => checkSeenLog(data.root, marks));
  },
  async repair(examination) {
    await commitMarks(examination, (state) => rebuildSeenLog(examination.data.root, state));
  },
};

const sketches: Area = {
  name: 'dedup',
  examine({ data, marks }) {
    if (!marks || marks.sketches === 0) return null;
    const holds = counted(Math.max(0, marks.sketches), 'sketch', 'sketches');
    const remedy = 'rebuilds the sketches from the journal';
    if (marks.sketches < 0)
      return { holds, problems: [repairable('dedup', 'the sketches are not complete', remedy)] };
    return guarded('dedup', holds, remedy, () =>
      checkSketches(data.root.directory(SKETCHES_DIRECTORY), marks.sketches),
    );
  },
  async repair(examination) {
    const { data, config, log } = examination;
    const directory = data.root.directory(SKETCHES_DIRECTORY);
    const options = { directory, journal: data.journal, nearDuplicates: nearDuplicatesOf(config), log };
    await withState(examination, async (state) => (await rebuildSketches({ ...options, state })).close());
  },
};

const RANK_AGAIN = 'ranks the pages again';
const REBUILD_INDEX = 'rebuilds the index from the journal';

const index: Area = {
  name: 'index',
  examine({ data }) {
    if (!data.root.has('index')) return null;
    if (!isManifestReadable(data.index)) {
      return guarded('index/manifest.json', '', REBUILD_INDEX, () => void readManifest(data.index));
    }
    if (!data.index.has('manifest.json') && data.index.list().some((name) => name.endsWith('.seg'))) {
      const problem = repairable('index/manifest.json', 'expected a file, got none', REBUILD_INDEX);
      return { holds: '', problems: [problem] };
    }
    const manifest = readManifest(data.index);
    const sides = new Set(manifest.segments.flatMap(({ ranks, anchors }) => [ranks, anchors]));
    const versions = new Set(manifest.versions.map(({ file }) => file));
    const lexicons = new Set(manifest.segments.map(({ lexicon = null }) => lexicon));
    const problems = filesOf(manifest).flatMap((file) => {
      const problem = sealedProblem(data.index, file);
      const restore = versions.has(file) ? REBUILD_INDEX : 'restores its documents from the journal';
      const rewrite = lexicons.has(file) ? 'gathers the words of its stored documents again' : restore;
      const remedy = sides.has(file) ? RANK_AGAIN : rewrite;
      return problem === null ? [] : [repairable(`index/${file}`, problem, remedy)];
    });
    const docs = manifest.segments.reduce((sum, entry) => sum + entry.docs - entry.deleted, 0);
    return {
      holds: `${counted(docs, 'document')}, ${counted(manifest.segments.length, 'segment')}`,
      problems,
    };
  },
  async repair({ data, config, log, signal }, problems) {
    const rebuild = problems.some(({ repair }) => repair === REBUILD_INDEX);
    if (!rebuild) await repairOnce(data, config, log, signal);
    await buildOnce(data, config, log, signal, { rebuild });
    if (problems.some(({ repair }) => repair === RANK_AGAIN)) rankOnce(data, log);
  },
};

const graph: Area = {
  name: 'graph',
  examine({ data }) {
    if (!data.root.has('graph')) return null;
    const check = checkGraph(data.graph);
    if (check.files === 0 && check.problems.length === 0) return null;
    return {
      holds: counted(check.files, 'file'),
      problems: check.problems.map(({ file, problem }) =>
        repairable(`graph/${file}`, problem, 'ranks all pages again from the journal'),
      ),
    };
  },
  async repair({ data, log }) {
    rankOnce(data, log, { afresh: true });
  },
};

const topics: Area = {
  name: 'topics',
  examine({ data: { root } }) {
    if (!root.has('topics')) return null;
    const folder = root.directory('topics');
    const files = folder.list().filter((name) => name.endsWith('.topic'));
    const problems = files.flatMap((file) => {
      const problem = sealedProblem(folder, file);
      const advice = 'delete it, and train the topic again with gyre topic train';
      return problem === null ? [] : [unrepairable(`topics/${file}`, problem, advice)];
    });
    return files.length === 0 ? null : { holds: counted(files.length, 'file'), problems };
  },
  async repair() {},
};

const words: Area = {
  name: 'words',
  examine({ data }) {
    if (!data.root.has('words')) return null;
    const files = data.words.list().filter((name) => name.endsWith('.gyre'));
    const problems = files.flatMap((file) => {
      const problem = sealedProblem(data.words, file);
      const remedy = file === QUERIES ? 'forgets what was asked often' : RANK_AGAIN;
      return problem === null ? [] : [repairable(`words/${file}`, problem, remedy)];
    });
    return files.length === 0 ? null : { holds: counted(files.length, 'file'), problems };
  },
  async repair({ data, log }, problems) {
    if (problems.some(({ file }) => file === `words/${QUERIES}`)) data.words.remove(QUERIES);
    if (problems.some(({ repair }) => repair === RANK_AGAIN)) rankOnce(data, log);
  },
};

const meaning: Area = {
  name: 'meaning',
  examine: ({ data, config }) => examineMeaning(data, config),
  async repair({ data }, problems) {
    repairMeaning(data, problems);
  },
};

const QUERIES = 'queries.gyre';
const SECRET = 'cookie.key';
const OTHERS = 0o077;

/**
 * Checks the remaining files, such as the files that people edit. Also checks the permissions of the cookie
 * secret.
 */
const otherFiles: Area = {
  name: 'other files',
  examine({ data, config }) {
    const problems: DoctorFinding[] = [];
    try {
      profileInForce(data.root, config.serve.profile);
    } catch (error) {
      if (!(error instanceof GyreError)) throw error;
      problems.push(unrepairable('ranking profile', messageOf(error), ''));
    }
    const hasProfiles = [FORMER_FILE, 'profiles.json'].some((file) => data.root.has(file));
    if (!data.root.has(SECRET)) return hasProfiles || problems.length > 0 ? { holds: '', problems } : null;
    const mode = statSync(join(data.root.path, SECRET)).mode & 0o777;
    if (mode & OTHERS) {
      const problem = `others may read it: its mode is ${mode.toString(8)}`;
      problems.push(repairable(SECRET, problem, 'sets the mode to 600'));
    }
    if (!/^[\w-]{43}\n?$/.test(data.root.read(SECRET).toString())) {
      const advice = 'delete it: searchers then choose their preferences again';
      problems.push(unrepairable(SECRET, 'expected 32 bytes in base64url, got something else', advice));
    }
    return { holds: '', problems };
  },
  async repair({ data }) {
    chmodSync(join(data.root.path, SECRET), 0o600);
  },
};

const standing: Area = { name: 'standing.db', examine: ({ data }) => examineStanding(data.root) };

export const AREAS: readonly Area[] = [
  settings,
  crawlState,
  archive,
  journal,
  seenLog,
  sketches,
  index,
  graph,
  words,
  topics,
  meaning,
  standing,
  otherFiles,
];

/** Commits the marks that `change` returns to crawl.db; other marks keep their values. */
async function commitMarks(
  examination: Examination,
  change: (state: CrawlState, marks: CommitMarks) => Promise<Partial<CommitMarks>>,
): Promise<void> {
  await withState(examination, async (state, marks) => {
    const nothing = { results: [], discovered: [], hosts: [], contents: new Map(), maxUrlsPerHost: 0 };
    await state.commit({ ...nothing, ...marks, ...(await change(state, marks)) });
  });
}

/** Opens crawl.db for a repair that commits, and reads the marks again afterwards. */
async function withState(
  examination: Examination,
  use: (state: CrawlState, marks: CommitMarks) => Promise<void>,
): Promise<void> {
  const state = openCrawlState(examination.data.root);
  try {
    const marks = await state.marks();
    if (marks) await use(state, marks);
    examination.marks = await state.marks();
  } finally {
    state.close();
  }
}

function guarded(file: string, holds: string, repair: string, check: () => void): Examined {
  try {
    check();
    return { holds, problems: [] };
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    return { holds, problems: [repairable(file, messageOf(error), repair)] };
  }
}
