/** The second stage: positions, features and query expansion for the best matches of the first stage. */

export { bestStretch, type QuotedPhrase } from './best-stretch.ts';
export { nameWords } from './document-evidence.ts';
export { explainRank, type RankedMatch, rerank, type SecondStage } from './rerank.ts';
