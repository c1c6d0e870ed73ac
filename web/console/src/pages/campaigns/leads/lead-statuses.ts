export const LEAD_STATUSES = ['created', 'completed', 'reached-max-retries'] as const;
