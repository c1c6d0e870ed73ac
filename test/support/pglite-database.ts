import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type { QueryRunner } from 'typeorm';
import type { DatabaseSession } from '../../src/database/connections/database-session.js';
import type { Database } from '../../src/database/database.js';
import { applyFunctions } from '../../src/database/functions/apply-functions.js';
import { migrations } from '../../src/database/migrations.js';

/** Object id of the type bigint. */
const INT8 = 20;

/**
 * PostgreSQL with pgvector inside this process, for what the embedded server has no extension for. It has one
 * connection, so that a transaction is what runs between its two ends.
 */
export class PgliteDatabase {
  private constructor(readonly pg: PGlite) {}

  static async start(): Promise<PgliteDatabase> {
    const pg = await PGlite.create({ extensions: { vector } });
    // Without parameters a text may hold several statements.
    const runner = {
      query: async (sql: string, parameters?: unknown[]) =>
        parameters ? (await pg.query(sql, parameters)).rows : (await pg.exec(sql)).at(-1)?.rows,
    } as unknown as QueryRunner;
    for (const Migration of migrations) await new Migration().up(runner);
    await applyFunctions(runner);
    return new PgliteDatabase(pg);
  }

  /** As repositories of raw SQL see it. */
  get database(): Database {
    return this as unknown as Database;
  }

  async query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    // node-postgres gives bigint as text.
    const { rows } = await this.pg.query(sql, [...parameters], { parsers: { [INT8]: (value) => value } });
    return rows.map((row) => withBuffers(row as Record<string, unknown>)) as Row[];
  }

  async first<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row | null> {
    return (await this.query<Row>(sql, parameters))[0] ?? null;
  }

  async matches(sql: string, parameters: readonly unknown[] = []): Promise<boolean> {
    return (await this.query(sql, parameters)).length > 0;
  }

  async values<Value>(sql: string, parameters: readonly unknown[] = []): Promise<Value[]> {
    return (await this.query<Record<string, Value>>(sql, parameters)).flatMap((row) => Object.values(row));
  }

  /** The same connection: there is no other. */
  openSession(): Promise<DatabaseSession> {
    return Promise.resolve({
      query: <Row>(sql: string, parameters: readonly unknown[]) => this.query<Row>(sql, parameters),
      isLost: () => false,
      close: async () => {
        await this.pg.query('SELECT pg_advisory_unlock_all()');
      },
    });
  }

  readPrepared<Row>(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    return this.query(sql, parameters);
  }

  async run<T>(work: (tx: never) => Promise<T>): Promise<T> {
    await this.pg.exec('BEGIN');
    try {
      const result = await work(undefined as never);
      await this.pg.exec('COMMIT');
      return result;
    } catch (error) {
      await this.pg.exec('ROLLBACK');
      throw error;
    }
  }

  stop(): Promise<void> {
    return this.pg.close();
  }
}

/** What node-postgres gives as Buffer, PGlite gives as Uint8Array. */
function withBuffers(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      value instanceof Uint8Array ? Buffer.from(value) : value,
    ]),
  );
}
