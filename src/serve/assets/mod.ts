/** The files in `src/web/` that browsers get, read once at start. */

export { type Assets, assetRoutes, loadAssets } from './assets.ts';
