/** Seeds: the URLs at which a crawl begins, with their collections, from the command line and from seed files. */

export { gatherSeeds, SEED_FLAGS } from './gather-seeds.ts';
export { collectionSeedsOf, readSeedLine, readSeeds, seedUrls, withSeeds } from './seed.ts';
