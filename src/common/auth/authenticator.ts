import type { Principal } from './principal.js';

/** Who a token speaks for. The auth module implements it; guards know only this. */
export abstract class Authenticator {
  /** Null for a token that is wrong, unknown or has ended. */
  abstract authenticate(token: string): Promise<Principal | null>;
}
