/**
 * Bundles the scripts of the dashboard, `src/web/dashboard/`, with Preact and uPlot into `src/web/bundles/`. `npm ci`
 * runs this script; to run it by hand, use `npm run build:dashboard`.
 *
 *   dashboard/main.tsx  ->  bundles/dashboard.js, bundles/dashboard.css
 *
 * The bundle is not in the repository, so it cannot differ from its sources. Bundling takes less than a second.
 */
import { join } from 'node:path';
import { build } from 'esbuild';

const WEB = join(import.meta.dirname, '..', 'src', 'web');

await build({
  entryPoints: [join(WEB, 'dashboard', 'main.tsx')],
  outfile: join(WEB, 'bundles', 'dashboard.js'),
  bundle: true,
  minify: true,
  format: 'iife',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // The options are all here, so that the configuration of the type checker is not needed.
  tsconfigRaw: {},
  target: 'es2022',
  legalComments: 'inline',
  logLevel: 'warning',
});
