import type { Configuration } from 'openid-client';
import type { OidcConfig } from '../../config/config.js';
import { boundedFetch } from './bounded-fetch.js';
import { OidcError, type OidcFailure } from './oidc.errors.js';
import { type OidcChecks, type OidcPerson, OidcProvider, type OidcStart } from './oidc-provider.js';

type Library = typeof import('openid-client');

const TIMEOUT_SECONDS = 8;
const CLOCK_TOLERANCE_SECONDS = 60;
/** A changed endpoint or key set of the provider is noticed after so long. */
const DISCOVERY_LIFE_MS = 3_600_000;

interface Discovered {
  readonly library: Library;
  readonly configuration: Configuration;
}

/** Asks the provider for its configuration with the first sign-in, so that a start does not depend on it. */
export class OpenidClientProvider extends OidcProvider {
  readonly isConfigured = true;
  private discovered: { readonly found: Promise<Discovered>; readonly untilMs: number } | null = null;

  constructor(private readonly config: NonNullable<OidcConfig['provider']>) {
    super();
  }

  async begin(redirectUri: string): Promise<OidcStart> {
    const { library, configuration } = await this.discover();
    const [state, nonce, verifier] = [
      library.randomState(),
      library.randomNonce(),
      library.randomPKCECodeVerifier(),
    ];
    const url = library.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.config.scopes,
      state,
      nonce,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, state, nonce, verifier };
  }

  async finish(callback: URL, { state, nonce, verifier }: OidcChecks): Promise<OidcPerson> {
    const { library, configuration } = await this.discover();
    try {
      const tokens = await library.authorizationCodeGrant(configuration, callback, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const token = tokens.claims();
      if (!token) throw new Error('the provider sent no ID token');
      const more = configuration.serverMetadata().userinfo_endpoint
        ? await library.fetchUserInfo(configuration, tokens.access_token, token.sub)
        : {};
      return personOf({ ...more, ...token });
    } catch (error) {
      throw new OidcError(failureOf(library, error), error);
    }
  }

  private async discover(): Promise<Discovered> {
    if (!this.discovered || this.discovered.untilMs <= performance.now()) {
      this.discovered = { found: this.ask(), untilMs: performance.now() + DISCOVERY_LIFE_MS };
    }
    const { found } = this.discovered;
    try {
      return await found;
    } catch (error) {
      // The next sign-in asks again.
      if (this.discovered?.found === found) this.discovered = null;
      throw new OidcError('unavailable', error);
    }
  }

  /** The library is loaded with the first sign-in: most processes have none. */
  private async ask(): Promise<Discovered> {
    const library = await import('openid-client');
    const { issuer, clientId, clientSecret } = this.config;
    const configuration = await library.discovery(
      new URL(issuer),
      clientId,
      { client_secret: clientSecret, [library.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      undefined,
      {
        timeout: TIMEOUT_SECONDS,
        [library.customFetch]: boundedFetch,
        execute: [
          library.enableNonRepudiationChecks,
          ...(issuer.startsWith('http:') ? [library.allowInsecureRequests] : []),
        ],
      },
    );
    return { library, configuration };
  }
}

function personOf({ iss, sub, ...claims }: Record<string, unknown>): OidcPerson {
  const { email, name, email_verified: isVerified } = claims;
  return {
    issuer: String(iss),
    subject: String(sub),
    email: typeof email === 'string' && email !== '' ? email.trim().toLowerCase() : null,
    isEmailVerified: isVerified === undefined ? undefined : isVerified === true,
    name: typeof name === 'string' && name.trim() !== '' ? name.trim() : null,
    claims,
  };
}

function failureOf(library: Library, error: unknown): OidcFailure {
  if (error instanceof library.AuthorizationResponseError) return 'cancelled';
  if (error instanceof library.ResponseBodyError) return 'expired';
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  const isAway = code === 'OAUTH_TIMEOUT' || error instanceof TypeError || cause instanceof TypeError;
  return isAway || (error as Error).name === 'TimeoutError' ? 'unavailable' : 'invalid';
}
