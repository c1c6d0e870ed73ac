import type { Writable } from 'node:stream';
import { once } from 'node:events';
import { DatabaseError, escapeIdentifier, escapeLiteral, type Client } from 'pg';
import { from } from 'pg-copy-streams';
import { DataSource, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../data-source-options.js';
import { applyFunctions } from '../functions/apply-functions.js';
import type { PluginMigrations } from '../preparation/migrate-plugins.js';
import { migrations } from '../migrations.js';
import { BackupError } from './backup.error.js';
import type { BackupEntry } from './backup-reader.js';
import { PORTABLE_SESSION } from './dump-database.js';
import type { Checksums, DumpedTable, Manifest } from './manifest.js';
import { makePluginTables } from './plugin-schemas.js';

/** What processes of the product call their connections. */
const OF_PROSA = ['prosa', 'prosa-jobs-listener', 'prosa-preparation', 'prosa-queues', 'prosa-session'];

const UNDEFINED_TABLE = '42P01';

/** What a database holds now. */
export type DatabaseContent = 'nothing' | 'accounts' | 'something else';

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Puts the rows of a backup in place of what a database has, in one transaction: it has all of them in the end, or what it
 * had before.
 */
export class DatabaseLoad {
  private foreignKeys: readonly ForeignKey[] = [];
  private copy: { readonly table: string; readonly stream: Writable & { rowCount: number } } | null = null;
  private readonly loaded = new Map<string, number>();
  /** Why the server has ended a COPY. It says so at any time, also between two rows. */
  private failure: Error | null = null;

  private constructor(
    private readonly dataSource: DataSource,
    private readonly runner: QueryRunner,
    private readonly client: Client,
  ) {}

  static async open(databaseUrl: string): Promise<DatabaseLoad> {
    const options = { ...dataSourceOptions(databaseUrl, 1), applicationName: 'prosa restore', extra: {} };
    const dataSource = await new DataSource(options).initialize();
    const runner = dataSource.createQueryRunner();
    const client = (await runner.connect()) as Client;
    await client.query(PORTABLE_SESSION);
    return new DatabaseLoad(dataSource, runner, client);
  }

  /** @throws BackupError while Prosa runs on the database */
  async refuseRunning(): Promise<void> {
    const [row] = await this.read<{ there: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
         AND application_name = ANY(ARRAY[${OF_PROSA.map((name) => escapeLiteral(name)).join(', ')}])) AS there`,
    );
    if (row?.there)
      throw new BackupError('A Prosa is running on this database: stop every process of it first.');
  }

  /** @param areAccountsThere SQL that answers in `there`, and fails where there is no such table */
  async content(areAccountsThere: string): Promise<DatabaseContent> {
    const tables = (await this.tables()).map(({ name }) => name);
    if (tables.length === 0) return 'nothing';
    if (!tables.includes('migrations')) return 'something else';
    try {
      const [row] = await this.read<{ there: boolean }>(areAccountsThere);
      return row?.there ? 'accounts' : 'nothing';
    } catch (error) {
      if (error instanceof DatabaseError && error.code === UNDEFINED_TABLE) return 'something else';
      throw error;
    }
  }

  /** Makes the schema as the backup knows it, empty and without what would look at rows while they come. */
  async begin(manifest: Manifest, plugins: readonly PluginMigrations[]): Promise<void> {
    const wanted = new Set(manifest.migrations);
    await this.runner.startTransaction();
    await this.dropAll();
    // As in `migrate`: the oldest PostgreSQL does not take each text of a released migration.
    await this.runner.query('SET LOCAL check_function_bodies = off');
    // As the ORM makes it, which looks into it at the next start.
    await this.runner.query(
      `CREATE TABLE migrations (id serial NOT NULL, timestamp bigint NOT NULL, name varchar NOT NULL,
         CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id))`,
    );
    for (const Migration of migrations) {
      if (!wanted.has(Migration.name)) continue;
      await new Migration().up(this.runner);
      await this.runner.query('INSERT INTO migrations (timestamp, name) VALUES ($1, $2)', [
        Migration.name.slice(-13),
        Migration.name,
      ]);
    }
    // An older schema gets its functions at the next start, after the missing migrations.
    if (migrations.every(({ name }) => wanted.has(name))) await applyFunctions(this.runner);
    await makePluginTables(manifest, plugins, this.runner);
    await this.refuseOtherTables(manifest.tables);
    this.foreignKeys = await this.read<ForeignKey>(
      `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition
       FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
    );
    for (const { table, name } of this.foreignKeys) {
      await this.client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${escapeIdentifier(name)}`);
    }
    for (const { name } of manifest.tables) {
      await this.client.query(`ALTER TABLE ${escapeIdentifier(name)} DISABLE TRIGGER USER`);
      // What migrations have put there.
      await this.client.query(`DELETE FROM ${escapeIdentifier(name)}`);
    }
  }

  /**
   * A piece of a table's rows. Pieces of a table come one after the other, and a row may be cut between two of them.
   *
   * @throws BackupError when the server refuses a row, has no room or is lost; it may do so for a piece before
   */
  async load({ name, columns }: DumpedTable, { content }: BackupEntry): Promise<void> {
    if (this.copy?.table !== name) {
      await this.endTable();
      const list = columns.map((column) => escapeIdentifier(column)).join(', ');
      const stream = this.client.query(from(`COPY ${escapeIdentifier(name)} (${list}) FROM STDIN`));
      stream.on('error', (error) => (this.failure ??= error));
      this.copy = { table: name, stream };
    }
    const { stream } = this.copy;
    for await (const chunk of content) {
      this.throwFailure();
      if (!stream.write(chunk)) await once(stream, 'drain').catch(() => this.throwFailure());
    }
  }

  /**
   * After the last row: what looks at rows is there again, and has looked at all of them. The caller commits.
   *
   * @throws BackupError when rows are missing
   */
  async complete({ tables, sequences }: Manifest, { rows }: Checksums): Promise<void> {
    await this.endTable();
    const short = tables.find(({ name }) => (this.loaded.get(name) ?? 0) !== (rows[name] ?? 0));
    if (short) throw new BackupError(`Rows of ${short.name} are missing: nothing was changed.`);
    for (const { name, lastValue, isCalled } of sequences) {
      await this.runner.query('SELECT setval($1::regclass, $2, $3)', [
        `public.${escapeIdentifier(name)}`,
        lastValue,
        isCalled,
      ]);
    }
    for (const { name } of tables) {
      await this.client.query(`ALTER TABLE ${escapeIdentifier(name)} ENABLE TRIGGER USER`);
    }
    for (const { table, name, definition } of this.foreignKeys) {
      await this.client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${escapeIdentifier(name)} ${definition}`);
    }
  }

  /** A statement of a module on its own rows, once they are there; returns how many it has changed. */
  async run(sql: string, parameters: readonly unknown[] = []): Promise<number> {
    const { rowCount } = await this.client.query(sql, [...parameters]);
    return rowCount ?? 0;
  }

  /** Rows that were loaded. */
  async read<Row extends object>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(sql, [...parameters])).rows;
  }

  async commit(): Promise<void> {
    await this.runner.commitTransaction();
    await this.client.query('ANALYZE');
  }

  /** Without a commit nothing has changed. */
  async close(): Promise<void> {
    try {
      // Of a COPY that was cut short nothing but the connection can be left.
      if (this.copy && !this.failure) this.copy.stream.destroy();
      // Where the connection is lost, the server does it.
      else if (this.runner.isTransactionActive)
        await this.runner.rollbackTransaction().catch(() => undefined);
    } finally {
      await this.runner.release();
      await this.dataSource.destroy();
    }
  }

  private throwFailure(): void {
    if (!this.failure) return;
    const { message } = this.failure;
    throw new BackupError(`The database does not take the rows (${message}): nothing was changed.`, {
      cause: this.failure,
    });
  }

  private async endTable(): Promise<void> {
    if (!this.copy) return;
    this.throwFailure();
    const { table, stream } = this.copy;
    this.copy = null;
    const finished = once(stream, 'finish').catch(() => this.throwFailure());
    stream.end();
    await finished;
    this.loaded.set(table, stream.rowCount);
  }

  /** Extensions stay: only a superuser may make some of them again. */
  private async dropAll(): Promise<void> {
    for (const { name } of await this.tables()) {
      await this.client.query(`DROP TABLE ${escapeIdentifier(name)} CASCADE`);
    }
    const functions = await this.read<{ signature: string }>(
      `SELECT p.oid::regprocedure::text AS signature FROM pg_proc p WHERE pronamespace = 'public'::regnamespace
         AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')`,
    );
    for (const { signature } of functions) await this.client.query(`DROP ROUTINE ${signature} CASCADE`);
    // The queue is made anew at the next start, and sweeps find the work.
    await this.client.query('DROP SCHEMA IF EXISTS bullmq CASCADE');
  }

  private async refuseOtherTables(tables: readonly DumpedTable[]): Promise<void> {
    const there = new Set((await this.tables()).map(({ name }) => name));
    const unknown = tables.filter(({ name }) => !there.has(name)).map(({ name }) => name);
    if (unknown.length === 0) return;
    throw new BackupError(
      `The backup has tables that this installation does not have (${unknown.join(', ')}): nothing was changed. ` +
        'Restore it with the release and the plugins it was made with.',
    );
  }

  private tables(): Promise<{ name: string }[]> {
    return this.read<{ name: string }>(
      `SELECT relname AS name FROM pg_class c WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
         AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`,
    );
  }
}

/** @throws BackupError when the backup is of a newer schema than this release has */
export function refuseNewerSchema({ migrations: applied, version }: Manifest): void {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = applied.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new BackupError(
    `This backup was made by Prosa ${version}, whose database is newer than this release knows (${unknown[0]}): nothing was changed. ` +
      'Restore it with that release or a newer one.',
  );
}
