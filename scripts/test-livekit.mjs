// `npm run test:livekit [-- path of a livekit-server]`: web calls, and calls by LiveKit SIP, through rooms of a real LiveKit server. Without a path the
// server is built by Go, once, into the user's cache folder; that takes some minutes and the network. Left out without Go.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { showHelp } from './show-help.mjs';

showHelp(import.meta.url);

// The newest whose dependencies the module proxy has.
const VERSION = '1.13.5';
const PACKAGE = 'github.com/livekit/livekit-server/cmd/server';

function go(folder, ...args) {
  const env = { ...process.env, GOTOOLCHAIN: 'auto' };
  const { status } = spawnSync('go', args, { cwd: folder, stdio: 'inherit', env });
  if (status === 0) return;
  console.error(`go ${args[0]} failed: the LiveKit server was not built, and nothing was tested.`);
  process.exit(1);
}

function build() {
  const folder = join(
    process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
    'prosa',
    `livekit-server-${VERSION}`,
  );
  const program = join(folder, 'livekit-server');
  if (existsSync(program)) return program;
  if (spawnSync('go', ['version']).status !== 0) return null;
  console.log(`Building LiveKit server ${VERSION} into ${folder} (first time only)…`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'go.mod'), 'module livekit\n\ngo 1.26\n');
  go(folder, 'get', `${PACKAGE}@v${VERSION}`);
  const lanes = String(Math.max(Math.floor(availableParallelism() / 2), 1));
  go(folder, 'build', '-p', lanes, '-trimpath', '-ldflags', '-s -w', '-o', `${program}.part`, PACKAGE);
  renameSync(`${program}.part`, program);
  return program;
}

const [given] = process.argv.slice(2);
const program = given ? resolve(given) : build();
if (!program) {
  console.log(
    'test:livekit: 1 suite skipped. There is no Go to build a LiveKit server with, and none was given.',
  );
  process.exit(0);
}
let running = null;
let isStopped = false;
// A signal to this process ends what it runs.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    isStopped = true;
    running?.kill(signal);
  });
}

/** @returns whether all tests of the file pass */
async function passes(file) {
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', file];
  running = spawn(process.execPath, [...jest, '-w', '1'], {
    stdio: 'inherit',
    env: { ...process.env, LIVEKIT_SERVER: program },
  });
  const [code] = await once(running, 'exit');
  return code === 0;
}

// Each in a process of its own: LiveKit's native client reports events of rooms only to the first module that has
// loaded it in a process. Every file loads its own.
const FOLDER = 'test/livekit';
let failed = 0;
for (const name of readdirSync(FOLDER).filter((each) => each.endsWith('.spec.ts'))) {
  if (!isStopped && !(await passes(join(FOLDER, name)))) failed++;
}
process.exit(failed > 0 || isStopped ? 1 : 0);
