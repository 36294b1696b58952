/**
 * sample: a web to try the engine on, made of what every machine with npm has already: the documentation
 * of installed packages, one site per package. It knows nothing of the engine that crawls it.
 */
export { type RootHints, sampleRoots } from './roots.ts';
export { type SampleWeb, type SampleWebOptions, startSampleWeb } from './sample-web.ts';
export { startSampleWebThread } from './thread.ts';
