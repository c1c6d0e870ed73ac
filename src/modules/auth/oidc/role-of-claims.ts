import type { RoleRule } from '../../../config/oidc.js';

type Claims = Readonly<Record<string, unknown>>;

/** The role of the first rule that fits the claims; null for a person without one. */
export function roleOfClaims(rules: readonly RoleRule[], claims: Claims): RoleRule['role'] | null {
  return rules.find(({ claim, value }) => hasValue(claimOf(claims, claim), value))?.role ?? null;
}

/** A claim of that name, else what the dots of the name lead to. */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>(
      (holder, part) =>
        typeof holder === 'object' && holder !== null && Object.hasOwn(holder, part)
          ? (holder as Claims)[part]
          : undefined,
      claims,
    );
}

function hasValue(claim: unknown, value: string): boolean {
  if (Array.isArray(claim)) return claim.some((item) => hasValue(item, value));
  return (typeof claim === 'string' || typeof claim === 'boolean') && String(claim) === value;
}
