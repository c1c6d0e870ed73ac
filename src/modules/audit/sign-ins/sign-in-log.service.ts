import { Injectable } from '@nestjs/common';
import type { ErrorKind } from '../../../common/errors/domain-error.js';
import { STATUS_OF } from '../../../common/errors/error-statuses.js';
import type { ClientOrigin } from '../../../common/http/requests/client-origin.js';
import type { Tx } from '../../../database/transactions.js';
import { AuditLogRepository } from '../audit-log.repository.js';
import { RefusedSignInsService } from './refused-sign-ins.service.js';

export interface StartedSignIn {
  readonly userId: number;
  /** Null for the owner of the account. */
  readonly memberId: number | null;
  readonly sessionId: number;
}

/** Records who signs in, and who is refused, under the operation that was asked for. Never a word of what was typed. */
@Injectable()
export class SignInLogService {
  constructor(
    private readonly entries: AuditLogRepository,
    private readonly refusals: RefusedSignInsService,
  ) {}

  /** In the transaction that begins the session: no session is without an entry. */
  started(
    { userId, memberId, sessionId }: StartedSignIn,
    { network, operation }: ClientOrigin,
    tx: Tx,
  ): Promise<void> {
    const change = { userId, memberId, tokenId: sessionId, via: 'session', network } as const;
    return this.entries.addDone({ ...change, action: operation }, tx);
  }

  /** Written after the answer, and for an e-mail of this installation alone. */
  refused(email: string, kind: ErrorKind, { network, operation }: ClientOrigin): void {
    this.refusals.add({ email, status: STATUS_OF[kind], network, action: operation });
  }
}
