/** What the browser's cookie keeps until the provider sends the person back. */
export interface OidcChecks {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
}

export interface OidcStart extends OidcChecks {
  /** Where the person signs in. */
  readonly url: string;
}

/** What the provider says of a person, checked. */
export interface OidcPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  /** Undefined where the provider says nothing of it. */
  readonly isEmailVerified: boolean | undefined;
  readonly name: string | null;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** An identity provider that speaks OpenID Connect. */
export abstract class OidcProvider {
  /** False where the operator has named no provider. */
  abstract readonly isConfigured: boolean;

  /** @throws OidcError */
  abstract begin(redirectUri: string): Promise<OidcStart>;

  /**
   * Exchanges the code, and checks signature, issuer, audience, times and nonce of the token.
   *
   * @param callback the address to which the provider sent the person, as under `redirectUri`
   * @throws OidcError
   */
  abstract finish(callback: URL, checks: OidcChecks): Promise<OidcPerson>;
}
