import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildIfNeeded } from './build-if-needed.mjs';

const START_MS = 240_000;

/**
 * Runs a Prosa of its own in a temporary folder for as long as the demonstration takes, and leaves nothing of it behind.
 *
 * @param environment variables on top of those of every demonstration
 * @param isReady what Prosa prints or logs when there is something to show
 * @param show is given the function that calls its API
 */
export async function demonstrate(environment, isReady, show) {
  await buildIfNeeded({ pages: true });
  const dataDir = mkdtempSync(join(tmpdir(), 'prosa-demo-'));
  let prosa = null;
  let interrupted = false;
  process.once('SIGINT', () => {
    interrupted = true;
    prosa?.kill('SIGTERM');
  });
  try {
    console.log('Starting Prosa in a temporary folder…');
    const { makeToken } = await import('../dist/common/auth/opaque-token.js');
    const key = makeToken('prosa_');
    prosa = start({ ...environment, DATA_DIR: dataDir, BOOTSTRAP_API_KEY: key });
    await show(client(await urlOf(prosa, isReady), key));
  } catch (error) {
    if (!interrupted) console.error(`\nThe demo failed: ${error.message}`);
    process.exitCode = 1;
  } finally {
    if (prosa && prosa.exitCode === null) {
      prosa.kill('SIGTERM');
      await once(prosa, 'exit');
    }
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function start(environment) {
  return spawn(process.execPath, ['dist/main.js'], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: '0',
      BOOTSTRAP_EMAIL: 'demo@example.com',
      BOOTSTRAP_BALANCE: '100',
      LOG_LEVEL: 'fatal',
      RATE_LIMITS: 'off',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Where it listens, once it has printed that it is ready. */
async function urlOf(prosa, isReady) {
  let output = '';
  prosa.stdout.on('data', (text) => (output += text));
  const deadline = Date.now() + START_MS;
  for (;;) {
    const url = /API\s+(\S+)\/api/.exec(output)?.[1];
    if (url && output.includes(isReady)) return url;
    if (prosa.exitCode !== null || Date.now() > deadline) throw new Error(`Prosa did not start:\n${output}`);
    await sleep(50);
  }
}

/** Calls the API as a customer would. Answers that are no JSON come as they are. */
function client(url, key) {
  return async (method, path, body, accept = 'application/json') => {
    const response = await fetch(`${url}/api/user/${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', Accept: accept },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    return accept === 'application/json' ? response.json() : response;
  };
}
