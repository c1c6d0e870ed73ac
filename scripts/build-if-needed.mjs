import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'dist', '.built');
const SOURCES = ['src', 'package.json', 'package-lock.json', 'tsconfig.json', 'nest-cli.json', '.swcrc'];

function newestMs(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}

/** Compiles src/ to dist/ unless dist/ is newer. The stamp is written last, so a build cut short is done again. */
export async function buildIfNeeded() {
  const builtMs = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (builtMs > Math.max(...SOURCES.map((source) => newestMs(join(root, source))))) return;
  console.log('Building…');
  rmSync(stamp, { force: true });
  const nest = join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
  const build = spawnSync(process.execPath, [nest, 'build'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (build.status !== 0) {
    console.error(build.stdout);
    console.error('The build failed. If packages are missing, run: npm ci');
    process.exit(1);
  }
  writeFileSync(stamp, '');
}
