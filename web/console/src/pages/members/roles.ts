import type { MemberResponse } from '../../../../../clients/typescript/src/types.gen.js';

export type Role = MemberResponse['role'];
export const ROLES = ['owner', 'operator', 'viewer'] as const satisfies readonly Role[];
