/** Makes a relevance desk in memory for tests of its pages, which records the changes that it is asked for. */
import type { DeskEvaluation, DeskProfiles, RelevanceDesk } from './relevance-desk.ts';

export interface TestDesk extends RelevanceDesk {
  changes: string[];
  evaluation: DeskEvaluation;
  shown: DeskProfiles;
  unanswered: [string, number][] | null;
}

const AT = '2026-01-02T03:04:05.000Z';

export const EVALUATED: DeskEvaluation = {
  kind: 'done',
  queries: 12,
  measures: [
    { name: 'nDCG@10', first: 0.5, second: 0.625, p: 0.01 },
    { name: 'success@1', first: 0.5, second: 0.5, p: 1 },
    { name: 'success@3', first: 0.75, second: 0.75, p: 1 },
    { name: 'MRR', first: 0.6, second: 0.5, p: 0.04 },
  ],
  changed: [{ query: 'rowing boats', first: 0.2, second: 0.9 }],
};

export function testDesk(): TestDesk {
  const changes: string[] = [];
  const grades = new Map<string, Map<string, number>>([['tide tables', new Map()]]);
  const profile = { about: 'for tests', evaluation: null };
  const desk: TestDesk = {
    changes,
    evaluation: { kind: 'none' },
    unanswered: [['no such thing', 3]],
    shown: {
      inForce: 'tuned',
      isPinned: false,
      previous: 'default',
      profiles: [
        { ...profile, name: 'default' },
        { ...profile, name: 'broken', problem: 'profiles/broken.json: "model" is missing' },
        {
          ...profile,
          name: 'tuned',
          evaluation: { at: AT, who: 'cli:ann', queries: 12, nDCG: 0.5, baseline: 'default' },
        },
      ],
      history: [{ at: AT, who: 'cli:ann', action: 'publish', profile: 'tuned' }],
    },
    queries: () =>
      Array.from(grades, ([text, judged]) => ({ text, judged: judged.size, relevant: judged.size })),
    addQueries(texts) {
      for (const text of texts) if (!grades.has(text)) grades.set(text, new Map());
      changes.push(`add ${texts.join(', ')}`);
      return texts.length;
    },
    withoutResults: () => desk.unanswered,
    gradeOf: (query, url) => grades.get(query)?.get(url) ?? null,
    judge(query, url, grade, who) {
      const judged = grades.get(query) ?? new Map<string, number>();
      grades.set(query, judged.set(url, grade));
      changes.push(`judge ${query} ${url} ${grade} ${who.split('@', 1)[0]}`);
    },
    exportFile: (kind) => `the file ${kind}\n`,
    importFiles({ queries, qrels }) {
      changes.push(`import ${queries.length} ${qrels.length}`);
      return { queries: 1, judgements: 2 };
    },
    profiles: () => desk.shown,
    compareResults: async (query) => [
      [
        { url: 'https://a.test/', title: `A ${query}` },
        { url: 'https://b.test/', title: 'B' },
      ],
      [{ url: 'https://b.test/', title: 'B' }],
    ],
    startEvaluation(pair) {
      changes.push(`evaluate ${pair.join(' ')}`);
      desk.evaluation = EVALUATED;
    },
    evaluationOf: () => desk.evaluation,
    publish(name) {
      changes.push(`publish ${name}`);
      return `${name} is published.`;
    },
    rollBack() {
      changes.push('roll back');
      return 'default is in force again.';
    },
  };
  return desk;
}
