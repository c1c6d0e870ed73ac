import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Configuration, Provider } from 'oidc-provider';

export const CLIENT = { id: 'prosa', secret: 'client-secret-of-prosa' };

export type Claims = Record<string, unknown>;

/** A real identity provider, whose people sign in without a page. */
export class IdentityProvider {
  private person = '';
  /** Claims by subject. */
  readonly people = new Map<string, Claims>();

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  static async start(redirectUri: string): Promise<IdentityProvider> {
    const holder: { handle?: ReturnType<Provider['callback']> } = {};
    const server = createServer((request, response) => void holder.handle?.(request, response));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const identity = new IdentityProvider(server, issuer);
    const provider = new Provider(issuer, identity.configuration(redirectUri));
    provider.use(async (context, next) => {
      const [, uid] = /^\/interaction\/([\w-]+)$/.exec(context.path) ?? [];
      if (uid === undefined) return next();
      const { prompt, grantId, session } = await provider.interactionDetails(context.req, context.res);
      const accountId = session?.accountId ?? identity.person;
      if (prompt.name === 'login') {
        return provider.interactionFinished(context.req, context.res, {
          login: { accountId: identity.person },
        });
      }
      const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
      const grant = known ?? new provider.Grant({ accountId, clientId: CLIENT.id });
      grant.addOIDCScope('openid email profile groups');
      await provider.interactionFinished(context.req, context.res, {
        consent: { grantId: await grant.save() },
      });
    });
    holder.handle = provider.callback();
    return identity;
  }

  /** Who signs in next. */
  expect(subject: string, claims: Claims): void {
    this.person = subject;
    this.people.set(subject, claims);
  }

  /** Signs a person in at the provider, and returns the address to which the provider sends the browser. */
  async authorize(url: string, subject: string, claims: Claims): Promise<string> {
    this.expect(subject, claims);
    const jar = new Map<string, string>();
    let next = url;
    while (next.startsWith(this.issuer)) {
      const response = await fetch(next, {
        redirect: 'manual',
        headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [pair = ''] = cookie.split(';');
        const at = pair.indexOf('=');
        jar.set(pair.slice(0, at), pair.slice(at + 1));
      }
      const location = response.headers.get('location');
      if (location === null)
        throw new Error(`the provider stays at ${next}: ${response.status} ${await response.text()}`);
      next = new URL(location, next).href;
    }
    return next;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }

  private configuration(redirectUri: string): Configuration {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    return {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [redirectUri],
          response_types: ['code'],
          grant_types: ['authorization_code'],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: '1' }] },
      cookies: { keys: ['a key of the test'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      scopes: ['openid', 'email', 'profile', 'groups'],
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, accountId) => ({
        accountId,
        claims: async () => ({ sub: accountId, ...this.people.get(accountId) }),
      }),
      pkce: { required: () => true },
      ttl: {
        AccessToken: 600,
        AuthorizationCode: 60,
        IdToken: 600,
        Interaction: 600,
        Session: 600,
        Grant: 600,
      },
    };
  }
}
