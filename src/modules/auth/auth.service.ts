import { Injectable } from '@nestjs/common';
import { Authenticator } from '../../common/auth/authenticator.js';
import { hashToken, makeToken, prefixOf } from '../../common/auth/opaque-token.js';
import type { Principal } from '../../common/auth/principal.js';
import { SecurityConfig } from '../../config/config.js';
import { type Account, type AccountDetails, AccountsService } from '../accounts/accounts.service.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { BadCredentialsError, RegistrationClosedError, SessionRequiredError } from './auth.errors.js';
import { SessionsRepository } from './sessions.repository.js';

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
    private readonly sessions: SessionsRepository,
    private readonly security: SecurityConfig,
  ) {
    super();
  }

  /** @throws RegistrationClosedError | EmailTakenError */
  async register(details: AccountDetails): Promise<StartedSession> {
    if (!this.security.openRegistration) throw new RegistrationClosedError();
    return this.startSession(await this.accounts.create(details));
  }

  /** @throws BadCredentialsError */
  async login(email: string, password: string): Promise<StartedSession> {
    const account = await this.accounts.findByCredentials(email, password);
    if (!account) throw new BadCredentialsError();
    await this.sessions.deleteExpired(account.id);
    return this.startSession(account);
  }

  /** @throws SessionRequiredError for a caller with a key: keys are deleted, not logged out */
  async logout(caller: Principal): Promise<void> {
    if (caller.via !== 'session') throw new SessionRequiredError();
    await this.sessions.delete(caller.userId, caller.tokenId);
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

  private async startSession(account: Account): Promise<StartedSession> {
    const token = makeToken('prosa_sess_');
    const expiresAt = new Date(Date.now() + this.security.sessionTtlMs);
    await this.sessions.add({ userId: account.id, tokenHash: hashToken(token), expiresAt });
    return { account, token, expiresAt };
  }
}
