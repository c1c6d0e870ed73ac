/**
 * Names of carriers, as calls and circuit breakers store them: `twilio` is the installation's own account, and
 * `twilio:<id>` that of a row of `carrier_accounts`. Each name fails by itself and does not stop calls of the others.
 */

/** @param carrierAccountId null for the installation's */
export function nameOfAccount(family: string, carrierAccountId: string | null): string {
  return carrierAccountId === null ? family : `${family}:${carrierAccountId}`;
}

/** The name without the account. */
export function familyOf(name: string): string {
  return name.split(':', 1)[0] ?? name;
}

/** The account in a name; null for the installation's. */
export function accountInName(name: string): string | null {
  const at = name.indexOf(':');
  return at < 0 ? null : name.slice(at + 1);
}
