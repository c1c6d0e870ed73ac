import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** What is built, from what, and by which program. */
const SERVER = {
  stamp: join(root, 'dist', '.built'),
  program: ['scripts/build-server.mjs'],
  sources: [
    'src',
    'packages/audio',
    'packages/sip',
    'scripts/build-server.mjs',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'nest-cli.json',
    '.swcrc',
  ],
};
/** The TypeScript client, from the committed OpenAPI document. */
const CLIENT = {
  stamp: join(root, 'packages', 'client', 'src', '.built'),
  program: ['scripts/build-client.mjs'],
  sources: [
    'docs/reference/openapi.json',
    'packages/client/json-headers.ts',
    'scripts/build-client.mjs',
    'package-lock.json',
  ],
};
const PAGES = {
  stamp: join(root, 'web', 'dist', '.built'),
  program: ['scripts/build-pages.mjs'],
  sources: [
    'web/console',
    'web/shared',
    'web/talk',
    'web/widget',
    'web/compressed.ts',
    'web/tsconfig.json',
    ...CLIENT.sources,
    'scripts/build-pages.mjs',
    'package.json',
  ],
};
/** What plugins are compiled against: the types of `prosa/plugin`. */
const PLUGIN_TYPES = {
  stamp: join(root, 'types', '.built'),
  program: ['scripts/build-plugin-types.mjs'],
  sources: [
    'src',
    'packages/audio',
    'packages/sip',
    'scripts/build-plugin-types.mjs',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.types.json',
  ],
};
/** Holds the id of the process that builds: a second build would empty the folder under what the first one has started. */
const lock = join(root, 'node_modules', '.cache', 'prosa', 'build.lock');

function newestMs(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}

/** In an image there is what was built, and no sources. */
const isShipped = !existsSync(join(root, 'src'));

function isBuilt({ stamp, sources }) {
  if (isShipped) return true;
  const builtMs = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return builtMs > Math.max(...sources.map((source) => newestMs(join(root, source))));
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
    // Released in the meantime.
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

/** Whether it succeeded; otherwise it has said why not. */
async function build({ stamp, program }) {
  rmSync(stamp, { force: true });
  const [file, ...words] = program;
  const run = spawn(process.execPath, [join(root, file), ...words], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said, [code]] = await Promise.all([text(run.stdout), once(run, 'close')]);
  if (code === 0) {
    writeFileSync(stamp, '');
    return true;
  }
  console.error(said);
  console.error('The build failed. If packages are missing, run: npm ci');
  return false;
}

/** Builds what is older than its sources: the client, which pages import, and then the rest in parallel. */
async function buildAll(targets) {
  const stale = targets.filter((target) => !isBuilt(target));
  if (stale.length === 0) return true;
  console.log('Building…');
  if (stale[0] === CLIENT && !(await build(stale.shift()))) return false;
  const outcomes = await Promise.all(stale.map((target) => build(target)));
  return outcomes.every(Boolean);
}

/**
 * Compiles src/ to dist/ unless dist/ is newer; of several processes that find it older, one does. The stamp is written
 * last, so a build cut short is done again.
 *
 * @param options which parts are wanted: the server, the client, the pages in web/ (which need the client), and the types
 *   that plugins are compiled against
 */
export async function buildIfNeeded({
  server = true,
  client = false,
  pages = false,
  pluginTypes = false,
} = {}) {
  const targets = [
    ...(client || pages ? [CLIENT] : []),
    ...(server ? [SERVER] : []),
    ...(pages ? [PAGES] : []),
    ...(pluginTypes ? [PLUGIN_TYPES] : []),
  ];
  while (!targets.every(isBuilt)) {
    if (!tryLock()) {
      await sleep(100);
      continue;
    }
    let isDone;
    try {
      isDone = await buildAll(targets);
    } finally {
      rmSync(lock, { force: true });
    }
    if (!isDone) process.exit(1);
    // For any clocks: a source of the future would be newer than every build.
    return;
  }
}

/** Builds everything, however new the last build is. */
export async function buildAnew() {
  for (const { stamp } of [CLIENT, SERVER, PAGES, PLUGIN_TYPES]) rmSync(stamp, { force: true });
  await buildIfNeeded({ pages: true, pluginTypes: true });
}
