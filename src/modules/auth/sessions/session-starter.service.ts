import { Injectable } from '@nestjs/common';
import { hashToken, makeToken } from '../../../common/auth/opaque-token.js';
import { TooManyRequestsError } from '../../../common/errors/errors.js';
import type { ClientOrigin } from '../../../common/http/requests/client-origin.js';
import { SecurityConfig } from '../../../config/config.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import type { Account } from '../../accounts/accounts.service.js';
import { SignInLogService } from '../../audit/sign-ins/sign-in-log.service.js';
import { BadCredentialsError } from '../auth.errors.js';
import { SessionsService } from './sessions.service.js';

export interface StartedSession {
  readonly account: Pick<Account, 'id' | 'name' | 'email'>;
  readonly token: string;
  readonly expiresAt: Date;
}

interface NewSessionHolder extends Pick<StartedSession, 'account'> {
  readonly apiKeyId?: number | null;
  readonly memberId?: number | null;
}

/** Starts sessions, and records sign-ins in the audit log. */
@Injectable()
export class SessionStarterService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly signIns: SignInLogService,
    private readonly transactions: Transactions,
    private readonly security: SecurityConfig,
  ) {}

  /** @param check done in the same transaction, before */
  async start(
    { account, apiKeyId = null, memberId = null }: NewSessionHolder,
    origin: ClientOrigin,
    check: (tx: Tx) => Promise<void>,
  ): Promise<StartedSession> {
    const token = makeToken('prosa_sess_');
    const expiresAt = new Date(Date.now() + this.security.sessionTtlMs);
    const tokenHash = hashToken(token);
    const { address: ipAddress, userAgent } = origin;
    const userId = account.id;
    await this.transactions.run(async (tx) => {
      await check(tx);
      const sessionId = await this.sessions.add(
        { userId, apiKeyId, memberId, tokenHash, expiresAt, ipAddress, userAgent },
        tx,
      );
      // A request with a key is in the log by its key.
      if (apiKeyId === null) await this.signIns.started({ userId, memberId, sessionId }, origin, tx);
    });
    return { account, token, expiresAt };
  }

  /** Runs a sign-in with a password, and records that it was refused. */
  async recordRefusals(
    email: string,
    origin: ClientOrigin,
    signIn: () => Promise<StartedSession>,
  ): Promise<StartedSession> {
    try {
      return await signIn();
    } catch (error) {
      if (error instanceof BadCredentialsError || error instanceof TooManyRequestsError)
        this.signIns.refused(email, error.kind, origin);
      throw error;
    }
  }
}
