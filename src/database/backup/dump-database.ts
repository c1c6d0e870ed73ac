import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { escapeIdentifier } from 'pg';
import { to } from 'pg-copy-streams';
import { WatchedClient } from '../outages/watched-client.js';
import { BackupError } from './backup.error.js';
import type { BackupWriter } from './backup-writer.js';
import type { Manifest } from './manifest.js';

/** Rows are cut into pieces of so many bytes: a tar archive has the size of an entry before its content. */
const PIECE_BYTES = 8 * 1024 * 1024;
/** Tables that a restore fills itself: with the migrations of the manifest, and with the functions of its own release. */
const FILLED_BY_RESTORE = new Set(['migrations', 'database_functions']);

/** Text that every server reads alike. */
export const PORTABLE_SESSION = `SET client_encoding = 'UTF8'; SET datestyle = 'ISO, YMD'; SET intervalstyle = 'postgres';
  SET timezone = 'UTC'; SET extra_float_digits = 3; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0;
  SET search_path = public`;

/** All rows of one moment, while others go on writing. */
export class DatabaseDump {
  private constructor(private readonly client: WatchedClient) {}

  /** Fixes the moment. @throws BackupError where Prosa has no tables */
  static async open(databaseUrl: string): Promise<DatabaseDump> {
    const client = new WatchedClient({ connectionString: databaseUrl, application_name: 'prosa backup' });
    await client.connect();
    const dump = new DatabaseDump(client);
    try {
      await client.query(PORTABLE_SESSION);
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const { rows } = await client.query("SELECT to_regclass('public.migrations') IS NOT NULL AS there");
      if (rows[0]?.there !== true) throw new BackupError('There is nothing of Prosa in this database.');
      return dump;
    } catch (error) {
      await dump.close();
      throw error;
    }
  }

  async describe(): Promise<Pick<Manifest, 'migrations' | 'pluginMigrations' | 'tables' | 'sequences'>> {
    const migrations = await this.rows<{ name: string }>('SELECT name FROM migrations ORDER BY id');
    const tables = await this.rows<{ name: string; columns: string[] }>(
      `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
         AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
         AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
       GROUP BY c.relname ORDER BY c.relname`,
    );
    return {
      migrations: migrations.map(({ name }) => name),
      pluginMigrations: await this.pluginMigrations(tables),
      tables: tables.filter(({ name }) => !FILLED_BY_RESTORE.has(name)),
      sequences: await this.sequences(),
    };
  }

  /** Writes the rows of a table; returns how many. */
  async writeTable({ name, columns }: Manifest['tables'][number], writer: BackupWriter): Promise<number> {
    const list = columns.map((column) => escapeIdentifier(column)).join(', ');
    const copy = this.client.query(to(`COPY ${escapeIdentifier(name)} (${list}) TO STDOUT`));
    const ended = once(copy, 'end');
    ended.catch(() => undefined);
    let number = 0;
    for await (const piece of pieces(copy)) {
      await writer.add(`tables/${name}/${String(++number).padStart(6, '0')}`, piece);
    }
    await ended;
    writer.countRows(name, copy.rowCount);
    return copy.rowCount;
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  private async pluginMigrations(tables: Manifest['tables']): Promise<Manifest['pluginMigrations']> {
    const found: Manifest['pluginMigrations'] = {};
    for (const { name: table } of tables.filter((each) => recordsMigrations(each))) {
      const applied = await this.rows<{ name: string }>(
        `SELECT name FROM ${escapeIdentifier(table)} ORDER BY id`,
      );
      found[table] = applied.map(({ name }) => name);
    }
    return found;
  }

  /** The current value of each sequence, which is at least the value that the rows of the snapshot have. */
  private async sequences(): Promise<Manifest['sequences']> {
    const names = await this.rows<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace AND relname <> 'migrations_id_seq' ORDER BY relname`,
    );
    const sequences: Manifest['sequences'] = [];
    for (const { name } of names) {
      const [row] = await this.rows<{ lastValue: string; isCalled: boolean }>(
        `SELECT last_value::text AS "lastValue", is_called AS "isCalled" FROM ${escapeIdentifier(name)}`,
      );
      if (row) sequences.push({ name, ...row });
    }
    return sequences;
  }

  private async rows<Row extends object>(sql: string): Promise<Row[]> {
    return (await this.client.query<Row>(sql)).rows;
  }
}

/** Whether it is the table of a plugin in which the ORM records its migrations. */
function recordsMigrations({ name, columns }: Manifest['tables'][number]): boolean {
  return name.endsWith('_migrations') && columns.join() === 'id,timestamp,name';
}

async function* pieces(content: Readable): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    held.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(held);
}
