import { OidcError } from './oidc.errors.js';
import { OidcProvider } from './oidc-provider.js';

/** An installation in which people sign in with passwords alone. */
export class NoOidcProvider extends OidcProvider {
  readonly isConfigured = false;

  async begin(): Promise<never> {
    throw new OidcError('unavailable', new Error('OIDC_ISSUER is not set'));
  }

  async finish(): Promise<never> {
    throw new OidcError('unavailable', new Error('OIDC_ISSUER is not set'));
  }
}
