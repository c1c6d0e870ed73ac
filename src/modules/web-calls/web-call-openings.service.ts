import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { hashToken, makeToken } from '../../common/auth/opaque-token.js';
import type { Tx } from '../../database/transactions.js';
import { CallCapacityService, type CallTerms } from '../active-calls/capacity/call-capacity.service.js';
import { ReservedLinesService } from '../active-calls/capacity/reserved-lines.service.js';
import type { AssistantDetails } from '../assistants/assistant-details.js';
import { CallsService } from '../calls/calls.service.js';
import { type RoomInvitation, RoomInvitationsService } from './room-invitations.service.js';
import { VisitorCallLimitsService } from './visitor-call-limits.service.js';
import { WEB_CARRIER } from './web-carrier.js';
import { WebCallsRepository } from './web-calls.repository.js';

/** A browser has to connect within so many seconds. */
const TOKEN_LIFE_SECONDS = 60;

export interface OpenedWebCall {
  readonly callId: number;
  readonly token: string;
  readonly expiresAt: Date;
  /** Null where there is no server of rooms. */
  readonly room: RoomInvitation | null;
}

interface NewWebCall {
  readonly assistant: AssistantDetails;
  readonly variables: Readonly<Record<string, unknown>>;
  /** A hash of the visitor's address; null for the owner. */
  readonly visitor: string | null;
  readonly budget?: CallTerms['budget'];
}

/** Writes calls that begin when their browser connects. */
@Injectable()
export class WebCallOpeningsService {
  constructor(
    private readonly calls: CallsService,
    private readonly webCalls: WebCallsRepository,
    private readonly capacity: CallCapacityService,
    private readonly rooms: RoomInvitationsService,
    private readonly reserved: ReservedLinesService,
    private readonly limits: VisitorCallLimitsService,
  ) {}

  /** @throws VisitorCallsLimitError | ParallelCallsLimitError | InsufficientBalanceError */
  async write({ assistant, variables, visitor, budget }: NewWebCall, tx: Tx): Promise<OpenedWebCall> {
    const { id: assistantId, userId } = assistant;
    const call = await this.calls.open(
      userId,
      {
        type: 'web',
        assistantId,
        assistantName: assistant.name,
        attemptId: randomUUID(),
        carrier: WEB_CARRIER,
        inputVariables: { ...variables },
        variables: { ...variables },
        recordingEnabled: assistant.config.record,
      },
      tx,
    );
    const begun = { carrier: WEB_CARRIER, phoneNumberId: null };
    const terms = { budget, byVisitor: visitor !== null, lineIsFree: true };
    await this.capacity.take({ call, assistant }, begun, tx, terms);
    await this.reserved.reserve(call.id, tx);
    const token = makeToken('prosa_call_');
    const tokenHash = hashToken(token);
    const expiresAt = await this.webCalls.add(
      { callId: call.id, assistantId, tokenHash, visitor },
      TOKEN_LIFE_SECONDS,
      tx,
    );
    if (visitor !== null) await this.limits.check(assistantId, visitor, tx);
    return { callId: call.id, token, expiresAt, room: this.rooms.invite(call.id, tokenHash, expiresAt) };
  }
}
