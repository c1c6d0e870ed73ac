import { z } from 'zod';
import { list } from './environment-values.js';
import { isLoopbackHost } from './loopback-host.js';

const ROLES = ['owner', 'operator', 'viewer'] as const;

/** People whose claim has the value get the role. */
export interface RoleRule {
  /** The name of the claim. Where a token has none of that name, dots lead into objects: `realm_access.roles`. */
  readonly claim: string;
  readonly value: string;
  readonly role: (typeof ROLES)[number];
}

export const issuerUrl = z
  .string()
  .refine((value) => {
    if (!URL.canParse(value)) return false;
    const url = new URL(value);
    const { protocol, username, search, hash } = url;
    const isEncrypted = protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(url));
    return isEncrypted && username === '' && search === '' && hash === '';
  }, 'must be a URL that begins with https://, without a query; http:// is for this machine alone')
  .describe('URL (https)');

/** `claim:value=role`, the first that fits a person counts. The last colon and the last equals sign separate. */
export const roleRules = list
  .transform((entries, context): RoleRule[] =>
    entries.flatMap((entry) => {
      const [, claim = '', value = '', role] = /^(.+):([^:]+)=([a-z]+)$/.exec(entry) ?? [];
      const known = ROLES.find((name) => name === role);
      if (known && claim !== '' && value !== '') return [{ claim, value, role: known }];
      context.addIssue(
        `must be a list such as groups:admins=owner,groups:support=operator; ${entry} is not claim:value=role with the role ` +
          ROLES.join(', '),
      );
      return [];
    }),
  )
  .refine((rules) => rules.length > 0, 'must give people of at least one claim a role')
  .describe('list of claim:value=role');
