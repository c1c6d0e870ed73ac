import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, PoolClient } from 'pg';
import { DataSource, EntityManager, type EntityTarget, type ObjectLiteral } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { DatabaseHealthService } from './database-health.service.js';
import { codeOf, driverErrorOf } from './outages/driver-error.js';
import { DatabaseUnavailableError } from './outages/database-unavailable.error.js';
import {
  type DatabaseSession,
  type DatabaseSessionOptions,
  openDatabaseSession,
} from './connections/database-session.js';
import { repeatingVictims } from './outages/deadlock-victims.js';
import { untilDatabaseAnswers } from './outages/lost-connection.js';
import { readingTwice, tellingOutages } from './outages/outages.js';
import { inQuerySpan } from './query-spans.js';
import { Singleflight } from '../common/concurrency/singleflight.js';
import { Transactions, type Tx } from './transactions.js';

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const LOCK_NOT_AVAILABLE = '55P03';

export interface ConnectionCounts {
  readonly used: number;
  readonly idle: number;
  /** Work that has no connection yet. */
  readonly waiting: number;
}

/**
 * The database for repositories: queries, and the transactions that services open through {@link Transactions}.
 * `docs/explanation/database.md` says which method to use when.
 */
@Injectable()
export class Database extends Transactions {
  private readonly statementNames = new Map<string, string>();
  // An empty message in the log is the smallest commit that waits for the disk.
  private readonly flush = new Singleflight(async () => {
    await this.writePrepared("SELECT pg_logical_emit_message(true, 'prosa', '')", []);
  });

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly health: DatabaseHealthService,
  ) {
    super();
  }

  /** The entity manager of TypeORM, in the transaction or on the pool. For lists, relations and forms that are read seldom. */
  manager(tx?: Tx): EntityManager {
    return tx ? (tx as unknown as EntityManager) : this.dataSource.manager;
  }

  /** Any SQL with parameters. The server parses and plans it each time. Never repeated. */
  async query<Row>(sql: string, parameters: readonly unknown[] = [], tx?: Tx): Promise<Row[]> {
    const result: unknown = await this.manager(tx).query(sql, [...parameters]);
    // The driver answers [rows, count] for UPDATE and DELETE, and rows alone for the rest.
    const rows =
      Array.isArray(result) && result.length === 2 && Array.isArray(result[0]) ? result[0] : result;
    return rows as Row[];
  }

  /** The same, for the first row; null without any. */
  async first<Row>(sql: string, parameters: readonly unknown[] = [], tx?: Tx): Promise<Row | null> {
    const [row] = await this.query<Row>(sql, parameters, tx);
    return row ?? null;
  }

  /** The same, where only one thing is asked: whether the statement has found or changed a row. */
  async matches(sql: string, parameters: readonly unknown[] = [], tx?: Tx): Promise<boolean> {
    return (await this.query(sql, parameters, tx)).length > 0;
  }

  /** The same, where only one number is asked: how many rows the statement has found, or changed and returned. */
  async affected(sql: string, parameters: readonly unknown[] = [], tx?: Tx): Promise<number> {
    return (await this.query(sql, parameters, tx)).length;
  }

  /** The same for rows of one column: the value of each row. */
  async values<Value>(sql: string, parameters: readonly unknown[] = [], tx?: Tx): Promise<Value[]> {
    const rows = await this.query<Record<string, Value>>(sql, parameters, tx);
    return rows.flatMap((row) => Object.values(row));
  }

  /** The value of the first row of one column; null without any. */
  async value<Value>(sql: string, parameters: readonly unknown[] = [], tx?: Tx): Promise<Value | null> {
    const [value] = await this.values<Value>(sql, parameters, tx);
    return value ?? null;
  }

  /** The same for a number that the statement counts; 0 without any row. */
  async count(sql: string, parameters: readonly unknown[] = [], tx?: Tx): Promise<number> {
    return (await this.value<number>(sql, parameters, tx)) ?? 0;
  }

  /**
   * A SELECT that each connection parses and plans once. For texts from a small, fixed set: a connection keeps every
   * text it has seen. Without a transaction it is run again when its connection was lost.
   */
  async readPrepared<Row>(sql: string, parameters: readonly unknown[], tx?: Tx): Promise<Row[]> {
    if (tx) return this.runPrepared(sql, parameters, tx);
    const statement = this.named(sql, parameters);
    const { rows } = await inQuerySpan(sql, () =>
      readingTwice(() => this.pool.query(statement), this.health.see.bind(this.health)),
    );
    return rows as Row[];
  }

  /**
   * The same for a statement that changes something. Without a transaction it is one of its own, in one round trip.
   * It is run again when the database chose it as the victim of a deadlock, but never when its connection was lost:
   * it may have been carried out.
   */
  async writePrepared<Row>(sql: string, parameters: readonly unknown[], tx?: Tx): Promise<Row[]> {
    return tx
      ? this.runPrepared(sql, parameters, tx)
      : repeatingVictims(() => this.runPrepared<Row>(sql, parameters));
  }

  /**
   * Reads entities of one table in a prepared statement, as {@link readPrepared} does. Costs less than the entity manager,
   * which builds the text anew each time.
   *
   * @param condition SQL after WHERE, from a small, fixed set of texts
   */
  async findPrepared<Entity extends ObjectLiteral>(
    target: EntityTarget<Entity>,
    condition: string,
    parameters: readonly unknown[],
    tx?: Tx,
  ): Promise<Entity[]> {
    const { tableName } = this.dataSource.getMetadata(target);
    const rows = await this.readPrepared<Record<string, unknown>>(
      `SELECT ${this.rowOf(target)} FROM ${tableName} WHERE ${condition}`,
      parameters,
      tx,
    );
    return this.entitiesOf(target, rows);
  }

  /**
   * Inserts rows of one entity in one prepared statement, and returns them in their order with the defaults that the
   * database has filled in. All rows have the same properties; a property that is left out gets its default.
   */
  async insertPrepared<Entity extends ObjectLiteral>(
    target: EntityTarget<Entity>,
    rows: readonly Partial<Entity>[],
    tx: Tx,
  ): Promise<Entity[]> {
    const { columns, tableName } = this.dataSource.getMetadata(target);
    const [first = {}] = rows;
    const given = columns.filter(({ propertyName }) => first[propertyName as keyof object] !== undefined);
    const names = given.map(({ databaseName }) => databaseName).join(', ');
    const typed = given.map(({ databaseName, type }) => `${databaseName} ${String(type)}`).join(', ');
    const values = rows.map((row) =>
      Object.fromEntries(given.map((column) => [column.databaseName, row[column.propertyName]])),
    );
    const added = await this.writePrepared<Record<string, unknown>>(
      `INSERT INTO ${tableName} (${names})
       SELECT ${names} FROM jsonb_to_recordset($1) AS given (${typed}) RETURNING ${this.rowOf(target)}`,
      [JSON.stringify(values)],
      tx,
    );
    return this.entitiesOf(target, added);
  }

  /**
   * SQL: every column of an entity under the name of its property, for the SELECT and RETURNING lists of prepared
   * statements. The rows have the shape of the entity. Entities with transformers are refused: their values would stay raw.
   *
   * @param alias name of the table in the statement
   */
  columnsOf(entity: EntityTarget<ObjectLiteral>, alias: string): string {
    const { columns } = this.dataSource.getMetadata(entity);
    const converted = columns.find(({ transformer }) => transformer);
    if (converted) throw new Error(`${converted.propertyName} is read through a transformer`);
    return columns
      .map(({ databaseName, propertyName }) => `${alias}.${databaseName} AS "${propertyName}"`)
      .join(', ');
  }

  run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return repeatingVictims(() =>
      this.tellingOutages(() => this.dataSource.transaction((manager) => work(manager as unknown as Tx))),
    );
  }

  async runWithVerifiedCommit<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const finished: { result: T; id: string | null }[] = [];
    try {
      return await this.run(async (tx) => {
        finished.length = 0;
        const result = await work(tx);
        const [row] = await this.query<{ id: string | null }>(
          'SELECT pg_current_xact_id_if_assigned()::text AS id',
          [],
          tx,
        );
        finished.push({ result, id: row?.id ?? null });
        return result;
      });
    } catch (error) {
      // A failure after that was the commit's.
      const [last] = finished;
      if (last && last.id !== null && (await this.hasCommitted(last.id))) return last.result;
      throw error;
    }
  }

  /**
   * Runs reads in one read-only transaction of isolation level REPEATABLE READ: all of them see the data of one moment.
   * For answers that take several statements. Costs three round trips in addition to the reads; run again when the connection was lost.
   */
  async runReadOnly<T>(read: (tx: Tx) => Promise<T>): Promise<T> {
    const readAll = () =>
      this.tellingOutages(() =>
        this.dataSource.transaction(async (manager) => {
          await manager.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
          return read(manager as unknown as Tx);
        }),
      );
    try {
      return await readAll();
    } catch (error) {
      if (error instanceof DatabaseUnavailableError && error.outage === 'lost') return readAll();
      throw error;
    }
  }

  async commitAsynchronously(tx: Tx): Promise<void> {
    await this.manager(tx).query('SET LOCAL synchronous_commit = off');
  }

  /**
   * Waits until all asynchronous commits of this process are on the disk. Callers that wait at the same time share one
   * write. Costs one round trip and one write to the disk.
   */
  flushCommits(): Promise<void> {
    return this.flush.run();
  }

  /** Opens a connection outside the pool, for advisory locks and other state of a session. */
  async openSession(options: DatabaseSessionOptions = {}): Promise<DatabaseSession> {
    const { url } = this.dataSource.options as PostgresDataSourceOptions;
    if (!url) throw new Error('a data source without an address');
    const see = this.health.see.bind(this.health);
    const session = await tellingOutages(() => openDatabaseSession(url, options), see);
    return {
      ...session,
      query: (sql, parameters) => tellingOutages(() => session.query(sql, parameters), see),
    };
  }

  /** How many connections the pool has, and how many callers wait for one. */
  get connectionCounts(): ConnectionCounts {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  /** SQL: each column by its name. A prepared statement with a star fails once a migration has added a column. */
  private rowOf(target: EntityTarget<ObjectLiteral>): string {
    const { columns } = this.dataSource.getMetadata(target);
    return columns
      .filter(({ isSelect }) => isSelect)
      .map(({ databaseName }) => databaseName)
      .join(', ');
  }

  /** Entities from rows of {@link rowOf}. */
  private entitiesOf<Entity extends ObjectLiteral>(
    target: EntityTarget<Entity>,
    rows: readonly Readonly<Record<string, unknown>>[],
  ): Entity[] {
    const metadata = this.dataSource.getMetadata(target);
    return rows.map((row) => {
      const entity = metadata.create() as Entity;
      for (const column of metadata.columns) {
        if (!column.isSelect) continue;
        const value: unknown = this.dataSource.driver.prepareHydratedValue(row[column.databaseName], column);
        column.setEntityValue(entity, value);
      }
      return entity;
    });
  }

  private async runPrepared<Row>(sql: string, parameters: readonly unknown[], tx?: Tx): Promise<Row[]> {
    const statement = this.named(sql, parameters);
    const { rows } = await inQuerySpan(sql, () =>
      tellingOutages(
        async () => (tx ? await clientOf(this.manager(tx)) : this.pool).query(statement),
        this.health.see.bind(this.health),
      ),
    );
    return rows as Row[];
  }

  private named(sql: string, parameters: readonly unknown[]) {
    let name = this.statementNames.get(sql);
    if (name === undefined) {
      name = `prosa_${this.statementNames.size + 1}`;
      this.statementNames.set(sql, name);
    }
    return { name, text: sql, values: [...parameters] };
  }

  /** Whether a transaction has committed; false also when the database does not say in time. */
  private async hasCommitted(id: string): Promise<boolean> {
    const known = await untilDatabaseAnswers(
      async () => {
        const [row] = await this.query<{ status: string | null }>(
          'SELECT pg_xact_status($1::xid8) AS status',
          [id],
        );
        // The server has not noticed yet that the connection is lost.
        if (row?.status === 'in progress') throw new Error('the transaction is still open');
        return row?.status === 'committed';
      },
      () => undefined,
    );
    return known?.answer ?? false;
  }

  /** The manager of a transaction whose connection was lost refuses work before any statement is run. */
  private tellingOutages<T>(work: () => Promise<T>): Promise<T> {
    return tellingOutages(work, this.health.see.bind(this.health));
  }

  private get pool(): Pool {
    return (this.dataSource.driver as PostgresDriver).master as Pool;
  }
}

function clientOf(manager: EntityManager): Promise<PoolClient> {
  if (!manager.queryRunner) throw new Error('a transaction without a connection');
  return manager.queryRunner.connect() as Promise<PoolClient>;
}

/** Whether an error is the breach of a unique constraint, by name where one is given. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (codeOf(error) !== UNIQUE_VIOLATION) return false;
  return constraint === undefined || constraintOf(error) === constraint;
}

/** Whether an error is a reference, by the name of its constraint, to a row that is not there. */
export function isForeignKeyViolation(error: unknown, constraint: string): boolean {
  return codeOf(error) === FOREIGN_KEY_VIOLATION && constraintOf(error) === constraint;
}

/** Whether an error is that a lock was not had within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === LOCK_NOT_AVAILABLE;
}

function constraintOf(error: unknown): unknown {
  return driverErrorOf(error).constraint;
}
