import { refuseTransactionPooler, TransactionPoolerError } from '../../database/pool/transaction-pooler.js';
import { withDatabase } from '../../database/open-database.js';
import { type Check, failure, type Finding, ok } from '../check.js';

/** Whether the database is a PostgreSQL that Prosa works on. */
export class DatabaseServerCheck implements Check {
  readonly name = 'database';

  /** @param databaseUrl of a server that accepts connections and is not too old */
  constructor(private readonly databaseUrl: string) {}

  async run(): Promise<readonly Finding[]> {
    try {
      await refuseTransactionPooler(this.databaseUrl);
    } catch (error) {
      if (error instanceof TransactionPoolerError) return [failure(error.message)];
      throw error;
    }
    const [row] = await withDatabase(this.databaseUrl, (database) =>
      database.query<{ version: string }>("SELECT current_setting('server_version') AS version"),
    );
    return [ok(`PostgreSQL ${row?.version ?? ''} answers.`)];
  }
}
