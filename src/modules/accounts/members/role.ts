/** What a person may do in an account: everything, the daily work, or look. */
export const ROLES = ['owner', 'operator', 'viewer'] as const;
export type Role = (typeof ROLES)[number];
