import { Injectable } from '@nestjs/common';
import { hashToken, makeToken } from '../../common/auth/opaque-token.js';
import { Transactions } from '../../database/transactions.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { isLive } from '../calls/call-states.js';
import { CallsService } from '../calls/calls.service.js';
import type { CallShare } from './call-share.entity.js';
import {
  CallShareNotFoundError,
  CallSharingOffError,
  SharedCallRunningError,
  TooManyCallSharesError,
} from './call-shares.errors.js';
import { CallSharesRepository } from './call-shares.repository.js';

const DAY_MS = 86_400_000;
const MOST_OF_A_CALL = 20;

export interface MadeCallShare extends Pick<CallShare, 'id' | 'expiresAt'> {
  /** Shown once; only its hash is stored. */
  readonly token: string;
}

/** Makes and revokes links to calls. */
@Injectable()
export class CallSharesService {
  constructor(
    private readonly shares: CallSharesRepository,
    private readonly calls: CallsService,
    private readonly accounts: AccountsService,
    private readonly transactions: Transactions,
  ) {}

  /** @throws CallNotFoundError | CallSharingOffError | SharedCallRunningError | TooManyCallSharesError */
  async create(userId: number, callId: number, days: number): Promise<MadeCallShare> {
    const { status } = await this.calls.get(userId, callId);
    if (!(await this.accounts.get(userId)).isCallSharingOn) throw new CallSharingOffError();
    if (isLive(status)) throw new SharedCallRunningError();
    const token = makeToken('prosa_share_');
    const expiresAt = new Date(Date.now() + days * DAY_MS);
    return this.transactions.run(async (tx) => {
      await this.accounts.lockLimits(userId, tx);
      await this.shares.deleteExpired(callId, tx);
      if ((await this.shares.list(userId, callId, tx)).length >= MOST_OF_A_CALL)
        throw new TooManyCallSharesError(MOST_OF_A_CALL);
      const { id } = await this.shares.add({ userId, callId, tokenHash: hashToken(token), expiresAt }, tx);
      return { id, expiresAt, token };
    });
  }

  /** Links of a call that are valid, newest first. @throws CallNotFoundError */
  async list(userId: number, callId: number): Promise<CallShare[]> {
    await this.calls.checkExists(userId, callId);
    return this.shares.list(userId, callId);
  }

  /** @throws CallShareNotFoundError */
  async revoke(userId: number, callId: number, id: number): Promise<void> {
    if (!(await this.shares.delete(userId, callId, id))) throw new CallShareNotFoundError();
  }
}
