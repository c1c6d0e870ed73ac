import { type Check, failure, type Finding, ok } from '../check.js';
import type { OnDatabase } from './on-database.js';

/** What the role of the connection may do. */
interface Rights {
  readonly role: string;
  readonly schema: string | null;
  readonly createsSchemas: boolean;
  readonly createsTables: boolean;
  /** Tables of the schema that belong to another role. */
  readonly foreign: number;
  /** Tables of the schema that the role cannot read and write. */
  readonly closed: number;
}

const RIGHTS = `
  WITH tables AS (
    SELECT oid, relowner FROM pg_class
    WHERE relkind IN ('r', 'p') AND relnamespace = to_regnamespace(quote_ident(current_schema()))
  )
  SELECT current_user AS role, current_schema() AS schema,
    has_database_privilege(current_database(), 'CREATE') AS "createsSchemas",
    coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "createsTables",
    (SELECT count(*)::int FROM tables WHERE NOT pg_has_role(relowner, 'USAGE')) AS foreign,
    (SELECT count(*)::int FROM tables
      WHERE NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
        AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))) AS closed`;

/** Whether the role may do what Prosa does with its database. */
export class DatabaseRightsCheck implements Check {
  readonly name = 'rights';

  constructor(private readonly onDatabase: OnDatabase) {}

  async run(): Promise<readonly Finding[]> {
    const [rights] = await this.onDatabase((database) => database.query<Rights>(RIGHTS));
    if (!rights) throw new Error('the database did not say what the role may do');
    return [findingOf(rights)];
  }
}

function findingOf({ role, schema, createsSchemas, createsTables, foreign, closed }: Rights): Finding {
  if (schema === null) {
    return failure(
      `The role ${role} may use no schema of its search_path: grant what docs/how-to/connect-postgresql.md lists.`,
    );
  }
  if (closed > 0) {
    return failure(
      `The role ${role} cannot read and write ${closed} tables of the schema ${schema}: ` +
        'grant what docs/how-to/connect-postgresql.md lists.',
    );
  }
  if (!createsSchemas || !createsTables || foreign > 0) {
    return ok(`The role ${role} reads and writes; npm run migrate prepares the database with another role.`);
  }
  return ok(`The role ${role} may create, read and write.`);
}
