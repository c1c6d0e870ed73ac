import { describe, expect, it } from '@jest/globals';
import { roleOfClaims } from './role-of-claims.js';

const RULES = [
  { claim: 'groups', value: 'admins', role: 'owner' },
  { claim: 'realm_access.roles', value: 'support', role: 'operator' },
  { claim: 'is_staff', value: 'true', role: 'viewer' },
] as const;

describe('the role of claims', () => {
  it.each([
    [{ groups: ['support', 'admins'] }, 'owner'],
    [{ groups: 'admins' }, 'owner'],
    [{ realm_access: { roles: ['support'] } }, 'operator'],
    [{ 'realm_access.roles': ['support'] }, 'operator'],
    [{ is_staff: true }, 'viewer'],
    [{ is_staff: true, groups: ['admins'] }, 'owner'],
    [{ groups: ['Admins', 'admins2'] }, null],
    [{ groups: { admins: true } }, null],
    [{ realm_access: null }, null],
    [{}, null],
  ])('%j is %s', (claims, role) => {
    expect(roleOfClaims(RULES, claims)).toBe(role);
  });
});
