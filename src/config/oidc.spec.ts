import { describe, expect, it } from '@jest/globals';
import { issuerUrl, roleRules } from './oidc.js';

describe('OIDC_ISSUER', () => {
  it.each([
    'https://id.example',
    'https://id.example/realms/a',
    'http://127.0.0.1:4000',
    'http://localhost:1',
  ])('%s', (value) => expect(issuerUrl.safeParse(value).success).toBe(true));

  it.each([
    'id.example',
    'http://id.example',
    'http://127.0.0.1.evil.example',
    'https://user@id.example',
    'https://id.example?x=1',
    'file:///etc/passwd',
  ])('%s is refused', (value) => expect(issuerUrl.safeParse(value).success).toBe(false));
});

describe('OIDC_ROLES', () => {
  it('is a list of claim:value=role, in which claims may have colons', () => {
    expect(
      roleRules.parse(
        'groups:admins=owner, https://a.example/roles:Help desk=operator,realm_access.roles:all=viewer',
      ),
    ).toEqual([
      { claim: 'groups', value: 'admins', role: 'owner' },
      { claim: 'https://a.example/roles', value: 'Help desk', role: 'operator' },
      { claim: 'realm_access.roles', value: 'all', role: 'viewer' },
    ]);
  });

  it.each(['admins=owner', 'groups:admins', 'groups:admins=root', 'groups:=owner', ':admins=owner', ''])(
    '%j is refused',
    (value) => expect(roleRules.safeParse(value).success).toBe(false),
  );
});
