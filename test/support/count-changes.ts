import type { FunctionDatabase } from './function-database.js';

/** What was noted of leads that were added, removed or moved, in a fixed order. */
export function leadCountChanges(database: FunctionDatabase) {
  return database.rows(
    `SELECT user_id, campaign_id, status, change FROM lead_count_changes
     ORDER BY user_id, campaign_id, status, change`,
  );
}

/** The same of calls. */
export function callCountChanges(database: FunctionDatabase) {
  return database.rows(
    `SELECT user_id, day::text, status, type, assistant_id, campaign_id, branch, reason, change FROM call_count_changes
     ORDER BY user_id, day, status, type, assistant_id, campaign_id, branch, reason, change`,
  );
}

/** The totals of calls, of one dimension or of all, in a fixed order. */
export async function dimensionTotals(database: FunctionDatabase, dimension?: string) {
  const rows = await database.rows(
    `SELECT dimension, value, period, starts_on::text, calls FROM call_dimension_totals
     WHERE $1::text IS NULL OR dimension = $1 ORDER BY 1, 2, 3, 4`,
    dimension ?? null,
  );
  return rows.map((row) => Object.values(row));
}
