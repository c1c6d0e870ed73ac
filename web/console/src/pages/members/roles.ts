import type { MemberResponse } from '#client/types.gen.js';

export type Role = MemberResponse['role'];
export const ROLES = ['owner', 'operator', 'viewer'] as const satisfies readonly Role[];
