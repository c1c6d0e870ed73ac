/** Why a running campaign places no calls. The first reasons hold for any number of due leads. */
export const PAUSE_REASONS = [
  'assistant_missing',
  'assistant_inactive',
  'no_phone_number',
  'timezone_unknown',
  'outside_allowed_hours',
  'carrier_unavailable',
  'carrier_rate_limited',
  'insufficient_balance',
  'daily_spend_cap',
  'nobody_due',
] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];
