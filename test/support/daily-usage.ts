import type { DailyResource } from '../../src/config/config.js';
import type { TestApp } from './app.js';

/** Sets what an account has used of a resource today, or some days ago. */
export async function setDailyUsage(
  app: TestApp,
  userId: number,
  usage: { readonly resource: DailyResource; readonly amount: number; readonly daysAgo?: number },
): Promise<void> {
  await app.query(
    `INSERT INTO daily_usage (user_id, resource, day, amount)
     VALUES ($1, $2, (now() AT TIME ZONE 'UTC')::date - $4::integer, $3)
     ON CONFLICT (user_id, resource) DO UPDATE SET day = excluded.day, amount = excluded.amount`,
    [userId, usage.resource, usage.amount, usage.daysAgo ?? 0],
  );
}
