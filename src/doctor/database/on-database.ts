import type { Database } from '../../database/database.js';

/** Asks the database: on a connection for the purpose, or on those of the application. */
export type OnDatabase = <T>(work: (database: Database) => Promise<T>) => Promise<T>;
