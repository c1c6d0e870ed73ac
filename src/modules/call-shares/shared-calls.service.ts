import { Injectable } from '@nestjs/common';
import { hashToken } from '../../common/auth/opaque-token.js';
import { type LinkSignature, LinkSigner } from '../../common/crypto/link-signer.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { CallsService, type DetailedCall } from '../calls/calls.service.js';
import { type Recording, RecordingsService } from '../calls/recordings/recordings.service.js';
import type { CallShare } from './call-share.entity.js';
import { SharedCallNotFoundError } from './call-shares.errors.js';
import { CallSharesRepository } from './call-shares.repository.js';

const RECORDING_LIFE_SECONDS = 6 * 3_600;

export interface SharedCall {
  readonly call: DetailedCall;
  readonly expiresAt: Date;
  /** Path and query of its recording; null where there is none. */
  readonly recordingLink: string | null;
}

/** Reads calls for people who have a link. */
@Injectable()
export class SharedCallsService {
  constructor(
    private readonly shares: CallSharesRepository,
    private readonly calls: CallsService,
    private readonly accounts: AccountsService,
    private readonly recordings: RecordingsService,
    private readonly signer: LinkSigner,
  ) {}

  /** @throws SharedCallNotFoundError */
  async open(token: string): Promise<SharedCall> {
    const share = await this.valid(await this.shares.findByToken(hashToken(token)));
    const call = await this.calls.getWithTurns(share.userId, share.callId);
    const hasRecording = call.recordingLink !== null;
    return { call, expiresAt: share.expiresAt, recordingLink: hasRecording ? this.linkTo(share.id) : null };
  }

  /** The recording of a link that is still valid. @throws SharedCallNotFoundError | RecordingNotFoundError */
  async recording(shareId: number, link: LinkSignature): Promise<Recording> {
    if (!this.signer.isValid(contentOf(shareId), link)) throw new SharedCallNotFoundError();
    const { callId, userId } = await this.valid(await this.shares.findValid(shareId));
    return this.recordings.get(userId, callId);
  }

  /** Checks what can change after a link was made: the switch of the account, and whether the person was erased. */
  private async valid(share: CallShare | null): Promise<CallShare> {
    const call = share && (await this.calls.findById(share.callId));
    if (!share || !call || call.erasedAt !== null) throw new SharedCallNotFoundError();
    if (!(await this.accounts.get(share.userId)).isCallSharingOn) throw new SharedCallNotFoundError();
    return share;
  }

  private linkTo(shareId: number): string {
    const expiresAt = Math.ceil(Date.now() / 1_000) + RECORDING_LIFE_SECONDS;
    return `/api/shared-calls/${shareId}/recording?${this.signer.expiringQuery(contentOf(shareId), expiresAt)}`;
  }
}

function contentOf(shareId: number): string {
  return `shared recording:${shareId}`;
}
