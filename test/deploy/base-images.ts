/**
 * Makes the base images of the Dockerfile, for a machine that cannot reach a registry of images:
 *
 *   debian:RELEASE-slim    a minimal Debian from `debootstrap`, without documentation, as in the published image
 *   node:MAJOR-RELEASE-slim  the same with this Node and npm in /usr/local
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Docker } from './docker.ts';
import { baseImagesOf } from './dockerfile.ts';

const UNNEEDED = ['usr/share/{doc,man,locale,info}/*', 'var/cache/apt/*', 'var/lib/apt/lists/*'];

/**
 * Imports all base images of the Dockerfile. A file tree that an earlier run has made is taken from the folder
 * `cache`.
 */
export async function importBaseImages(docker: Docker, dockerfile: string, cache: string): Promise<string[]> {
  const images = baseImagesOf(dockerfile);
  for (const image of images) await importImage(docker, image, cache);
  return images;
}

async function importImage(docker: Docker, image: string, cache: string): Promise<void> {
  const [, name, release] = /^(debian|node):(?:\d+-)?([a-z]+)-slim$/.exec(image) ?? [];
  if (!name || !release)
    throw new Error(`expected debian:RELEASE-slim or node:MAJOR-RELEASE-slim, got ${image}`);
  const debian = debianTree(release, cache);
  const file = name === 'debian' ? debian : nodeTree(debian, cache);
  await docker.run(['import', file, image]);
}

/** Returns the path of a tar file with a minimal Debian. */
function debianTree(release: string, cache: string): string {
  const file = join(cache, `debian-${release}.tar`);
  if (existsSync(file)) return file;
  const tree = join(cache, `debian-${release}.part`);
  mkdirSync(cache, { recursive: true });
  rmSync(tree, { recursive: true, force: true });
  execFileSync('debootstrap', ['--variant=minbase', release, tree], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const path of globSync(UNNEEDED, { cwd: tree })) rmSync(join(tree, path), { recursive: true });
  pack(tree, file);
  rmSync(tree, { recursive: true });
  return file;
}

/**
 * Returns the path of a tar file that has the tree of the tar file `debian` and, in addition, Node and npm of
 * this machine.
 */
function nodeTree(debian: string, cache: string): string {
  const tree = join(cache, 'node.part');
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(tree);
  execFileSync('tar', ['-C', tree, '-xf', debian]);
  const local = join(tree, 'usr', 'local');
  cpSync(process.execPath, join(local, 'bin', 'node'));
  cpSync(npmFolder(), join(local, 'lib', 'node_modules', 'npm'), { recursive: true, verbatimSymlinks: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin', 'npm'));
  const file = join(cache, 'node.tar');
  pack(tree, file);
  rmSync(tree, { recursive: true });
  return file;
}

/** Returns the folder of the npm that runs this program. */
function npmFolder(): string {
  const script = process.env.npm_execpath;
  if (!script || basename(script) !== 'npm-cli.js') throw new Error('run this with npm: npm run test:deploy');
  return dirname(dirname(realpathSync(script)));
}

function pack(tree: string, file: string): void {
  execFileSync('tar', ['-C', tree, '-cf', `${file}.part`, '.']);
  renameSync(`${file}.part`, file);
}
