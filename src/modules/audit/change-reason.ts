/** Why the platform itself made a change. */
export const CHANGE_REASONS = ['campaign-started', 'handed-over', 'number-called'] as const;
export type ChangeReason = (typeof CHANGE_REASONS)[number];
