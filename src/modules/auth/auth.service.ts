import { Injectable } from '@nestjs/common';
import { Authenticator } from '../../common/auth/authenticator.js';
import { hashToken, makeToken, prefixOf } from '../../common/auth/opaque-token.js';
import type { Principal } from '../../common/auth/principal.js';
import type { ClientOrigin } from '../../common/http/client-origin.js';
import { SecurityConfig } from '../../config/config.js';
import { Transactions } from '../../database/transactions.js';
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
  async register(details: RegisterRequest, origin: ClientOrigin): Promise<StartedSession> {
    if (!this.security.openRegistration) throw new RegistrationClosedError();
    checkNewPassword(details.password, details.email);
    const started = await this.startSession(await this.accounts.create(details), origin);
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
  private async startSession(account: VerifiedAccount, origin: ClientOrigin): Promise<StartedSession> {
    const token = makeToken('prosa_sess_');
    const expiresAt = new Date(Date.now() + this.security.sessionTtlMs);
    await this.transactions.run(async (tx) => {
      if (!(await this.accounts.isStillVerified(account, tx))) throw new BadCredentialsError();
      await this.sessions.add(
        {
          userId: account.id,
          tokenHash: hashToken(token),
          expiresAt,
          ipAddress: origin.address,
          userAgent: origin.userAgent,
        },
        tx,
      );
    });
    return { account, token, expiresAt };
  }
}
