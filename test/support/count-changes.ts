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
    `SELECT user_id, day::text, status, type, assistant_id, campaign_id, change FROM call_count_changes
     ORDER BY user_id, day, status, type, assistant_id, campaign_id, change`,
  );
}
