/**
 * The judged queries and ranking profiles that the relevance desk shows, and the actions that it offers. `cli/` implements
 * it with the files and threads of the engine. Methods throw or reject with a UsageError if the request makes no sense.
 */

export interface DeskQuery {
  text: string;
  judged: number;
  /** The number of results with a grade from 1 up. */
  relevant: number;
}

/** A profile that can be compared. */
export interface DeskProfile {
  name: string;
  about: string;
  /** The evaluation by which the profile passed the gate; null if it did not. */
  evaluation: { at: string; who: string; queries: number; nDCG: number; baseline: string } | null;
  /** The error of a file that is no profile; such a profile cannot be compared. */
  problem?: string;
}

export interface DeskProfiles {
  /** The name of the profile that searches use. */
  inForce: string;
  /** True if the setting `serve.profile` names it, so that publications change nothing. */
  isPinned: boolean;
  /** The profile that a roll-back puts in force; null if none was published. */
  previous: string | null;
  profiles: DeskProfile[];
  /** The publications and roll-backs, the newest first. */
  history: { at: string; who: string; action: string; profile: string }[];
}

/** The results of two profiles for a query. */
export interface DeskResult {
  url: string;
  title: string;
}

export interface DeskMeasure {
  name: string;
  first: number;
  second: number;
  p: number;
}

export type DeskEvaluation =
  | { kind: 'none' }
  | { kind: 'running'; done: number; total: number }
  | { kind: 'failed'; problem: string }
  | {
      kind: 'done';
      queries: number;
      measures: DeskMeasure[];
      /** The queries whose nDCG@10 differs most. */
      changed: { query: string; first: number; second: number }[];
    };

export interface RelevanceDesk {
  /** Returns the list of queries, in the order in which they were added. */
  queries(): DeskQuery[];
  addQueries(texts: readonly string[], who: string): number;
  /** Returns frequent queries without results; null if queries are not counted. */
  withoutResults(): [query: string, count: number][] | null;
  /** Returns the grade of a result for a query, from 0 to 3; null if it was not judged. */
  gradeOf(query: string, url: string): number | null;
  judge(query: string, url: string, grade: number, who: string): void;
  /** Returns the queries, or the judgements, as a file in the format of TREC. */
  exportFile(kind: 'queries' | 'qrels'): string;
  importFiles(
    files: { queries: string; qrels: string },
    who: string,
  ): { queries: number; judgements: number };
  profiles(): DeskProfiles;
  /** Searches with both profiles. */
  compareResults(query: string, pair: readonly [string, string]): Promise<[DeskResult[], DeskResult[]]>;
  /** Starts to measure both profiles over all judged queries. */
  startEvaluation(pair: readonly [string, string]): void;
  evaluationOf(pair: readonly [string, string]): DeskEvaluation;
  /** Publishes a profile that was evaluated with the one in force. Returns a sentence about what happens. */
  publish(name: string, who: string): string;
  rollBack(who: string): string;
}
