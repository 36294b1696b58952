/**
 * Compiles the WebAssembly kernels: every `src/ROOM/kernels/NAME.json` names an AssemblyScript source and its
 * memory, and is compiled to `NAME.wasm` beside it. `npm ci` runs this script; to run it by hand, use `npm
 * run build:kernels`.
 *
 *   { "source": "assembly/NAME.ts", "options": ["--importMemory", …] }
 *
 * A kernel that is newer than its sources is not compiled again. Options that all kernels share are in this
 * file.
 */
import { globSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { main as compile } from 'assemblyscript/asc';

const ROOT = join(import.meta.dirname, '..');
const SHARED_OPTIONS = ['-O3', '--runtime', 'stub', '--noAssert', '--enable', 'simd', '--enable', 'threads'];

interface KernelPlan {
  source: string;
  options: string[];
}

for (const plan of globSync('src/*/kernels/*.json', { cwd: ROOT }).sort()) await build(plan);

async function build(planPath: string): Promise<void> {
  const folder = dirname(planPath);
  const { source, options } = JSON.parse(readFileSync(join(ROOT, planPath), 'utf8')) as KernelPlan;
  const output = planPath.replace(/\.json$/, '.wasm');
  if (isFresh(output, [planPath, ...globSync(`${folder}/assembly/**/*.ts`, { cwd: ROOT })])) return;
  const part = `${output}.part`;
  const { error, stderr } = await compile(
    [join(folder, source), '--baseDir', ROOT, '--outFile', part, ...SHARED_OPTIONS, ...options],
    {},
  );
  if (error) {
    rmSync(join(ROOT, part), { force: true });
    throw new Error(`${join(folder, source)} does not compile: ${error.message}\n${stderr.toString()}`);
  }
  renameSync(join(ROOT, part), join(ROOT, output));
  console.log(`compiled ${output}`);
}

function isFresh(output: string, sources: readonly string[]): boolean {
  const builtAt = statSync(join(ROOT, output), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return sources.every((source) => statSync(join(ROOT, source)).mtimeMs < builtAt);
}
