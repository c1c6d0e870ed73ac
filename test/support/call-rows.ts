import type { Database } from '../../src/database/database.js';

/** A call as it is in the table, for tests of the SQL that looks at it. */
export async function addCall(
  database: Database,
  userId: number,
  {
    campaignId = null,
    campaignName = null,
  }: { campaignId?: number | null; campaignName?: string | null } = {},
): Promise<number> {
  const [call] = await database.query<{ id: number }>(
    `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, campaign_id, campaign_name)
     VALUES ($1, 'Recepção', 'outbound', 'initiated', '+5511987654321', $2, $3) RETURNING id`,
    [userId, campaignId, campaignName],
  );
  return call!.id;
}

/** @param set SQL of columns beyond the least ones */
export async function addRun(
  database: Database,
  callId: number,
  userId: number,
  set = "stage = 'waiting'",
): Promise<void> {
  await database.query(
    `INSERT INTO active_calls (call_id, user_id, carrier, max_duration_seconds, ringing_seconds)
     VALUES ($1, $2, 'sandbox', 60, 30)`,
    [callId, userId],
  );
  await database.query(`UPDATE active_calls SET ${set} WHERE call_id = $1`, [callId]);
}
