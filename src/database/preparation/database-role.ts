import { prosaVersion } from '../../config/prosa-version.js';
import { withPreparationClient } from './preparation-client.js';
import { DatabaseStartError } from './wait-for-database.js';

/** The role of a connection. */
export interface DatabaseRole {
  readonly name: string;
  /** Whether it may prepare the database: it owns the tables, or may create them where there are none. */
  readonly mayPrepare: boolean;
}

/** A role that may not prepare the database finds it behind. */
export class DatabaseBehindError extends DatabaseStartError {
  override readonly name = 'DatabaseBehindError';

  /** @param missing as it continues the sentence, such as `the migration Tools1763600000004` */
  constructor(role: string, [first = '', ...others]: readonly string[]) {
    const more = others.length > 0 ? ` and ${others.length} more` : '';
    super(
      `The database is behind Prosa ${prosaVersion} (it lacks ${first}${more}), and the role ${role} may not change it: run ` +
        'npm run migrate with a role in MIGRATION_DATABASE_URL that owns the database and its tables.',
    );
  }
}

/** A privilege of the role is missing, so that it cannot even compare. */
export class DatabasePrivilegeError extends DatabaseStartError {
  override readonly name = 'DatabasePrivilegeError';

  constructor(role: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `The role ${role} lacks a privilege in the database (${reason}): grant what docs/how-to/connect-postgresql.md lists.`,
      { cause },
    );
  }
}

/** A command changes tables, and its role does not own them. */
export class DatabaseOwnerError extends DatabaseStartError {
  override readonly name = 'DatabaseOwnerError';

  constructor(role: string) {
    super(
      `The role ${role} may not change the tables of this database: set MIGRATION_DATABASE_URL for this command, with the role ` +
        'that owns the database and its tables.',
    );
  }
}

const ROLE = `SELECT current_user AS name, coalesce(
    (SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('migrations')),
    has_schema_privilege(current_schema(), 'CREATE') AND has_database_privilege(current_database(), 'CREATE'),
    false) AS "mayPrepare"`;

export function findRole(databaseUrl: string): Promise<DatabaseRole> {
  return withPreparationClient(databaseUrl, async (client) => {
    const { rows } = await client.query<DatabaseRole>(ROLE);
    return rows[0] ?? { name: '', mayPrepare: false };
  });
}

/** @throws DatabaseOwnerError */
export async function requireOwner(databaseUrl: string): Promise<void> {
  const { name, mayPrepare } = await findRole(databaseUrl);
  if (!mayPrepare) throw new DatabaseOwnerError(name);
}
