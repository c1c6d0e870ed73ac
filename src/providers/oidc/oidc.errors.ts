/**
 * Why a sign-in failed at the provider.
 *
 * - `cancelled`: the person or the provider refused
 * - `expired`: the provider does not accept the code (any more)
 * - `unavailable`: the provider did not answer
 * - `invalid`: its answer or its token is not acceptable: signature, issuer, audience, nonce, clock
 */
export type OidcFailure = 'cancelled' | 'expired' | 'unavailable' | 'invalid';

export class OidcError extends Error {
  override readonly name = 'OidcError';

  constructor(
    readonly failure: OidcFailure,
    cause: unknown,
  ) {
    super(`sign-in through the identity provider failed: ${failure}`, { cause });
  }
}
