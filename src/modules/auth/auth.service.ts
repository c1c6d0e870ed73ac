import { Injectable } from '@nestjs/common';
import { Authenticator } from '../../common/auth/authenticator.js';
import { hashToken, makeToken, prefixOf } from '../../common/auth/opaque-token.js';
import type { Principal } from '../../common/auth/principal.js';
import { UnauthorizedError } from '../../common/errors/errors.js';
import type { ClientOrigin } from '../../common/http/client-origin.js';
import { SecurityConfig } from '../../config/config.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { type Account, AccountsService, type VerifiedAccount } from '../accounts/accounts.service.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { BadCredentialsError, RegistrationClosedError, SessionRequiredError } from './auth.errors.js';
import type { RegisterRequest } from './dto/auth.request.js';
import { LoginBackoffService } from './login-backoff.service.js';
import { checkNewPassword } from './password-rules.js';
import { SessionsService } from './sessions.service.js';

export interface StartedSession {
  readonly account: Account;
  readonly token: string;
  readonly expiresAt: Date;
}

@Injectable()
export class AuthService extends Authenticator {
  constructor(
    private readonly accounts: AccountsService,
    private readonly apiKeys: ApiKeysService,
    private readonly sessions: SessionsService,
    private readonly backoff: LoginBackoffService,
    private readonly transactions: Transactions,
    private readonly security: SecurityConfig,
  ) {
    super();
  }

  /** @throws RegistrationClosedError | EmailTakenError | ValidationFailedError */
  async register({ country, ...details }: RegisterRequest, origin: ClientOrigin): Promise<StartedSession> {
    if (!this.security.openRegistration) throw new RegistrationClosedError();
    checkNewPassword(details.password, details.email);
    const started = await this.startSession(
      await this.accounts.create({ ...details, defaultCountry: country }),
      origin,
    );
    await this.backoff.rememberAddress(started.account, origin.address);
    return started;
  }

  /** @throws BadCredentialsError | TooManyRequestsError */
  async login(email: string, password: string, origin: ClientOrigin): Promise<StartedSession> {
    const admission = await this.backoff.admitLogin(email, origin.address);
    const account = await this.accounts.findByCredentials(email, password);
    if (!account) throw new BadCredentialsError();
    const started = await this.startSession(account, origin);
    await this.backoff.loginSucceeded(admission, account.id);
    return started;
  }

  /** A session in exchange for an API key, with which it ends. @throws UnauthorizedError */
  async loginByKey(caller: Principal, origin: ClientOrigin): Promise<StartedSession> {
    return this.addSession(await this.accounts.get(caller.userId), caller.tokenId, origin, async (tx) => {
      if (!(await this.apiKeys.isStillValid(caller, tx))) throw new UnauthorizedError();
    });
  }

  /** @throws SessionRequiredError for a caller with a key: keys are deleted, not logged out */
  async logout(caller: Principal): Promise<void> {
    if (caller.via !== 'session') throw new SessionRequiredError();
    await this.sessions.endCurrent(caller);
  }

  /** Who a token speaks for. A token of wrong form or checksum is refused without asking the database. */
  async authenticate(token: string): Promise<Principal | null> {
    const prefix = prefixOf(token);
    if (prefix === null) return null;
    return prefix === 'prosa_' ? this.apiKeys.authenticate(token) : this.authenticateSession(token);
  }

  private async authenticateSession(token: string): Promise<Principal | null> {
    const session = await this.sessions.findLive(hashToken(token));
    return session && { userId: session.userId, via: 'session', tokenId: session.id };
  }

  /** A password that is changed at the same moment ends the session with all others, or keeps it from being begun. */
  private startSession(account: VerifiedAccount, origin: ClientOrigin): Promise<StartedSession> {
    return this.addSession(account, null, origin, async (tx) => {
      if (!(await this.accounts.isStillVerified(account, tx))) throw new BadCredentialsError();
    });
  }

  private async addSession(
    account: Account,
    apiKeyId: number | null,
    { address, userAgent }: ClientOrigin,
    check: (tx: Tx) => Promise<void>,
  ): Promise<StartedSession> {
    const token = makeToken('prosa_sess_');
    const expiresAt = new Date(Date.now() + this.security.sessionTtlMs);
    const tokenHash = hashToken(token);
    await this.transactions.run(async (tx) => {
      await check(tx);
      await this.sessions.add(
        { userId: account.id, apiKeyId, tokenHash, expiresAt, ipAddress: address, userAgent },
        tx,
      );
    });
    return { account, token, expiresAt };
  }
}
