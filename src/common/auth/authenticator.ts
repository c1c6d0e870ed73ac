import type { Principal } from './principal.js';

/** Who a token speaks for. The auth module implements it; guards know only this. */
export abstract class Authenticator {
  /** Null for a token that is wrong, unknown or has ended. */
  abstract authenticate(token: string): Promise<Principal | null>;

  /** Those whose token has ended since they were authenticated, or may do something else now. */
  abstract findEnded(callers: readonly Principal[]): Promise<readonly Principal[]>;
}
