import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { type ChildServer, startChild } from '../support/child-server.js';
import { fromDist } from '../support/dist.js';
import { seed, type Seeded, settleCounts, type Tenant } from './seed.js';
import type { Scenario } from './scenarios.js';

const POOL_SIZE = 10;

/** Where a list is asked for. */
export interface Target {
  readonly pid: number;
  readonly url: URL;
  readonly headers: Record<string, string>;
}

/** Prosa on a database of its own with a year of calls. */
export class SeededProsa {
  private constructor(
    readonly environment: Readonly<Record<string, string>>,
    readonly seeded: Seeded,
    private readonly server: ChildServer,
    private readonly release: () => Promise<void>,
  ) {}

  static async start(calls: number): Promise<SeededProsa> {
    const dataDir = await mkdtemp(join(tmpdir(), 'prosa-bench-calls-'));
    // Under root the database runs as another user, who must get in.
    await chmod(dataDir, 0o711);
    const postgres = await EmbeddedPostgres.start({
      dataDir,
      durable: false,
      log: (line) => console.log(line),
    });
    const release = async () => {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    };
    try {
      const { migrate } = await fromDist<typeof import('../../src/database/preparation/migrate.js')>(
        'database/preparation/migrate.js',
      );
      await migrate(postgres.url);
      const seeded = await seed(postgres.url, calls);
      const { tableBytes, indexBytes } = seeded;
      const each = (bytes: number) => Math.round(bytes / calls);
      console.log(
        `${calls} calls made in ${seeded.seconds.toFixed(1)} s; each uses ${each(tableBytes)} bytes and ${each(indexBytes)} of indexes`,
      );
      console.log(`counts settled in ${(await settleCounts(postgres.url)).toFixed(1)} s`);
      const environment = { DATABASE_URL: postgres.url, DATABASE_POOL_SIZE: String(POOL_SIZE) };
      const server = await startChild(new URL('../support/app-server.ts', import.meta.url), environment);
      return new SeededProsa(environment, seeded, server, release);
    } catch (error) {
      await release();
      throw error;
    }
  }

  target({ query }: Pick<Scenario, 'query'>, tenant: Tenant): Target {
    const headers = { Authorization: `Bearer ${tenant.token}` };
    return targetOf(this.server, '/api/user/calls', query(tenant), headers);
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.release();
  }
}

export function targetOf(server: ChildServer, path: string, parameters: object, headers = {}): Target {
  const url = new URL(path, server.origin);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
  return { pid: server.pid, url, headers };
}
