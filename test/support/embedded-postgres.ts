import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { findPostmaster, isAlive } from '../../src/database/embedded/postmaster-file.js';
import type { EmbeddedPostgresOptions } from '../../src/database/embedded/embedded-postgres.js';

export interface OwnerProcess {
  child: ChildProcess;
  url: string;
  adminUrl: string;
  port: number;
  /** The failure, when it did not start. */
  error?: string;
}

const folders: string[] = [];
const children: ChildProcess[] = [];

/** A folder every user may enter, removed by `cleanUp`. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), `prosa-test-${process.pid}-`)));
  await chmod(folder, 0o755);
  folders.push(folder);
  return folder;
}

/** A folder with a copy of a database that another one holds, stopped: quicker than a first start. */
export async function copyFolder(source: string): Promise<string> {
  const folder = await makeFolder();
  await promisify(execFile)('cp', ['-a', `${source}/.`, folder]);
  return folder;
}

/** Kills what the tests of a file left running, and removes their folders. */
export async function cleanUp(): Promise<void> {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) await removeFolder(folder);
}

/** Removes a folder after killing the servers on any cluster in it. */
export async function removeFolder(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true })) {
    if (entry.endsWith('postmaster.pid')) await killServer(join(folder, entry, '..'));
  }
  await rm(folder, { recursive: true, force: true });
}

/** Kills the server of a cluster as a power cut would, and waits until it is gone. */
export async function killServer(clusterDir: string): Promise<void> {
  const server = await findPostmaster(clusterDir);
  if (!server) return;
  process.kill(server.pid, 'SIGKILL');
  while (isAlive(server.pid)) await sleep(10);
}

export type ProcessOptions = Omit<EmbeddedPostgresOptions, 'log'>;

/** Starts the server from a process of its own, which needs the built product. `launcher` is a command that runs the rest of its arguments. */
export async function startInProcess(
  options: ProcessOptions,
  { ids, launcher = [] }: { ids?: { uid: number; gid: number }; launcher?: string[] } = {},
): Promise<OwnerProcess> {
  const script = resolve('test/support/embedded-postgres-process.mjs');
  const [file, ...args] = [...launcher, process.execPath, script, JSON.stringify(options)];
  const child = spawn(file, args, { ...ids, stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, ...JSON.parse(line) };
}

export async function endProcess({ child }: OwnerProcess, signal?: NodeJS.Signals): Promise<void> {
  const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
  if (signal) child.kill(signal);
  else child.stdin?.end();
  await ended;
}

export async function query<Row extends object>(url: string, ...statements: string[]): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    let rows: Row[] = [];
    for (const statement of statements) ({ rows } = await client.query<Row>(statement));
    return rows;
  } finally {
    await client.end();
  }
}
