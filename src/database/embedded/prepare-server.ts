import { constants } from 'node:fs';
import { access, chmod, mkdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findPlatformPackage, prepareBinaries } from './binaries.js';
import { adoptFilesOfRoot, createCluster, findCluster } from './cluster.js';
import { ClusterServer } from './cluster-server.js';
import { readClusterState } from './cluster-state.js';
import { codeOf, EmbeddedPostgresError } from './embedded-postgres.error.js';
import { ProgramRunner } from './program-runner.js';
import { chooseServerAccount } from './server-account.js';

export interface ServerPlace {
  dataDir: string;
  durable: boolean;
  packageDir?: string;
  log: (line: string) => void;
}

/** Everything a server needs before it can run: programs, an account, and a cluster, made at the first start. */
export async function prepareServer(place: ServerPlace): Promise<ClusterServer> {
  const dataDir = await prepareDataDir(resolve(place.dataDir));
  const clusterDir = join(dataDir, 'postgres');
  const packageDir = place.packageDir ?? findPlatformPackage();
  const binaries = await prepareBinaries(packageDir, join(dataDir, 'postgres-libraries'));
  const account = await chooseServerAccount(clusterDir, [dataDir, join(packageDir, 'native')]);
  const runner = new ProgramRunner(binaries, account);
  if (await findCluster(clusterDir)) await adoptFilesOfRoot(clusterDir, runner);
  else await createCluster(clusterDir, runner, place.durable);
  const state = await readClusterState(clusterDir);
  const logFile = join(dataDir, 'postgres.log');
  return new ClusterServer({ runner, clusterDir, logFile, durable: place.durable, log: place.log }, state);
}

async function prepareDataDir(path: string): Promise<string> {
  try {
    const made = await mkdir(path, { recursive: true, mode: 0o711 });
    // The server's user has to get through, whatever root's umask.
    if (made && process.getuid?.() === 0) await chmod(path, 0o711);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(path);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The folder ${path} for Prosa's data cannot be used (${codeOf(error)}): ` +
        'make it writable for the user who starts Prosa, or choose another DATA_DIR.',
    );
  }
}
