/** Serves the files in `src/web/` to browsers. They are read once when the server starts. */

export { type Assets, assetRoutes, loadAssets } from './assets.ts';
