/**
 * sample: the web of the demonstration, made from the documentation of the npm packages on this machine, one
 * site per package. It does not depend on the engine that crawls it.
 */

export { sampleRoots } from './roots.ts';
export type { SampleWeb } from './sample-web.ts';
export { startSampleWebThread } from './thread.ts';
