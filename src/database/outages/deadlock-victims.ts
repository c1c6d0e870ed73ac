import type { DataSource, QueryRunner } from 'typeorm';
import { codeOf } from '../driver-error.js';

/** Serialization failure and deadlock: all that was done is undone, and may be done again. */
const UNDONE = ['40001', '40P01'];

/** How often the same work may be a victim before that is told. */
const MAX_TRIES = 5;

/** Runs a whole transaction, or a statement that is one of its own, again when it was the victim of a deadlock. */
export async function repeatingVictims<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      if (attempt >= MAX_TRIES || !UNDONE.includes(codeOf(error))) throw error;
    }
  }
}

/** Makes a data source run every statement outside a transaction again, whoever runs it, when it was such a victim. */
export function repeatVictims(dataSource: DataSource): DataSource {
  const { driver } = dataSource;
  const create = driver.createQueryRunner.bind(driver);
  driver.createQueryRunner = (mode) => {
    const runner = create(mode);
    const query = runner.query.bind(runner) as (...statement: unknown[]) => Promise<unknown>;
    runner.query = ((...statement: unknown[]) =>
      runner.isTransactionActive
        ? query(...statement)
        : repeatingVictims(() => query(...statement))) as QueryRunner['query'];
    return runner;
  };
  return dataSource;
}
