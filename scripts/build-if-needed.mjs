import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'dist', '.built');
/** Holds the id of the process that builds: a second build would empty dist/ under what the first one has started. */
const lock = join(root, 'node_modules', '.cache', 'prosa', 'build.lock');
const SOURCES = ['src', 'package.json', 'package-lock.json', 'tsconfig.json', 'nest-cli.json', '.swcrc'];

function newestMs(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}

function isBuilt() {
  const builtMs = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return builtMs > Math.max(...SOURCES.map((source) => newestMs(join(root, source))));
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** False while another process builds. The lock of one that died is taken away. */
function tryLock() {
  try {
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isAbandoned()) rmSync(lock, { force: true });
    return false;
  }
}

function isAbandoned() {
  try {
    // One that was made a moment ago may have no text yet.
    return Date.now() - statSync(lock).mtimeMs > 1_000 && !isAlive(Number(readFileSync(lock, 'utf8')));
  } catch (error) {
    // Given back meanwhile.
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

/** Whether it succeeded; otherwise it has said why not. */
function build() {
  console.log('Building…');
  rmSync(stamp, { force: true });
  const nest = join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
  const run = spawnSync(process.execPath, [nest, 'build'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (run.status === 0) {
    writeFileSync(stamp, '');
    return true;
  }
  console.error(run.stdout);
  console.error('The build failed. If packages are missing, run: npm ci');
  return false;
}

/**
 * Compiles src/ to dist/ unless dist/ is newer; of several processes that find it older, one does. The stamp is written
 * last, so a build cut short is done again.
 */
export async function buildIfNeeded() {
  while (!isBuilt()) {
    if (!tryLock()) {
      await sleep(100);
      continue;
    }
    let isDone;
    try {
      isDone = isBuilt() || build();
    } finally {
      rmSync(lock, { force: true });
    }
    if (!isDone) process.exit(1);
    // Whatever the clocks say: a source of the future would be newer than every build.
    return;
  }
}
