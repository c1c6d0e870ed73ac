import type { DataSource, QueryRunner } from 'typeorm';
import { DatabaseUnavailableError } from './database-unavailable.error.js';
import { repeatingVictims } from './deadlock-victims.js';

/** What changes something, or belongs to a session or transaction, beneath a SELECT. Too many matches only cost a retry. */
const MORE_THAN_A_READ =
  /\b(insert|update|delete|merge|into|nextval|setval|set_config|pg_\w*advisory\w*|pg_notify|share)\b/i;

/** Whether a statement only reads, so that running it twice is running it once. */
export function isPlainRead(sql: string): boolean {
  return /^\s*(select|with)\b/i.test(sql) && !MORE_THAN_A_READ.test(sql);
}

/** Runs the work, and turns an outage of the database into a {@link DatabaseUnavailableError}. */
export async function tellingOutages<T>(work: () => Promise<T>, onOutage: OnOutage): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const outage = DatabaseUnavailableError.from(error);
    if (outage instanceof DatabaseUnavailableError) onOutage(outage);
    throw outage;
  }
}

/** The same for a read outside a transaction, which is tried once more when its connection was lost. */
export async function readingTwice<T>(read: () => Promise<T>, onOutage: OnOutage): Promise<T> {
  try {
    return await tellingOutages(read, onOutage);
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError) || error.outage !== 'lost') throw error;
    return tellingOutages(read, onOutage);
  }
}

type OnOutage = (outage: DatabaseUnavailableError) => void;

/**
 * Makes every statement of a data source fail with {@link DatabaseUnavailableError} when the database is unavailable. A
 * read outside a transaction is tried once more on another connection. Other statements are not: the server may have run
 * them before the connection was lost. The victim of a deadlock is undone, so outside a transaction it is run again.
 */
export function tellOutages(dataSource: DataSource, onOutage: OnOutage): DataSource {
  const { driver } = dataSource;
  const create = driver.createQueryRunner.bind(driver);
  driver.createQueryRunner = (mode) => {
    const runner = create(mode);
    const connect = runner.connect.bind(runner);
    const query = runner.query.bind(runner) as Query;
    const queryElsewhere: Query = async (...statement) => {
      const other = create(mode);
      try {
        return await other.query(...statement);
      } finally {
        await other.release();
      }
    };
    runner.connect = () => tellingOutages(connect, onOutage);
    const queryTwice = (statement: Parameters<Query>) => {
      let run = query;
      return readingTwice(() => {
        const now = run;
        run = queryElsewhere;
        return now(...statement);
      }, onOutage);
    };
    runner.query = (async (...statement: Parameters<Query>) => {
      const queryOnce = () => tellingOutages(() => query(...statement), onOutage);
      if (runner.isTransactionActive) return queryOnce();
      return repeatingVictims(isPlainRead(statement[0]) ? () => queryTwice(statement) : queryOnce);
    }) as QueryRunner['query'];
    return runner;
  };
  return dataSource;
}

type Query = (sql: string, parameters: unknown[] | undefined, useStructuredResult: true) => Promise<unknown>;
