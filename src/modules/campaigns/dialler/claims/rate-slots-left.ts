/** So long before their turns leads are claimed: more than a beat of the dialler, less than the calls' patience (PATIENCE). */
const CLAIM_AHEAD_MS = 1_200;
/** A limit without calls for this long is forgotten, as it may no longer exist. */
const KNOWN_FOR = "interval '1 minute'";

/**
 * SQL: how many calls of a SIP trunk or an account get their slot soon. `pace` is its row of trunk_paces or
 * account_paces at the moment `at`. Null: as many as there are. Leads beyond would be claimed only to be given back.
 */
export const rateSlotsLeft = (pace: string, at: string) => `
  CASE WHEN ${pace}.next_at > ${at} - ${KNOWN_FOR} THEN greatest(0, 1 + floor(
    (${CLAIM_AHEAD_MS} - greatest(0, extract(epoch FROM ${pace}.next_at - ${at}) * 1000)) / ${pace}.step_ms)) END::bigint`;
