import { Injectable } from '@nestjs/common';
import type { PageOf, PageRequest } from '../common/http/page.js';
import type { Answerer, CallStatus, CallType, EndReason } from '../modules/calls/call-states.js';
import { CallNotFoundError } from '../modules/calls/calls.errors.js';
import { CallsService, type DetailedCall } from '../modules/calls/calls.service.js';
import { CallListService, type ShownCall } from '../modules/calls/listing/call-list.service.js';
import { refuseUnbounded } from './page-bounds.js';

type Facts = Readonly<Record<string, unknown>>;

/** A call as lists show it. */
export interface CallInfo {
  readonly id: number;
  readonly type: CallType;
  readonly status: CallStatus;
  /** As it was at the time of the call. */
  readonly assistantName: string;
  /** Null outside of campaigns. */
  readonly campaignName: string | null;
  /** E.164; null on the web, as is the next. */
  readonly customerPhone: string | null;
  readonly assistantPhone: string | null;
  readonly durationSeconds: number;
  readonly answeredBy: Answerer;
  /** Line by line; empty until the call has ended. */
  readonly transcript: string;
  /** Everything that the call knew in the end. */
  readonly variables: Facts;
  /** `status`, `summary` and the fields of the post-call schema; empty until the evaluation. */
  readonly evaluation: Facts;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Something that was said in a call. */
export interface CallTurnInfo {
  /** `agent`: a person of the account, who has taken over from the assistant. */
  readonly role: 'assistant' | 'customer' | 'agent';
  readonly text: string;
  /** Since the answer, as is the next. */
  readonly startMs: number;
  readonly endMs: number;
  readonly interrupted: boolean;
}

/** A call with what was said in it. */
export interface CallDetails extends CallInfo {
  /** Null once the assistant is deleted. */
  readonly assistantId: number | null;
  /** Null outside of campaigns, and once the campaign is deleted. */
  readonly campaignId: number | null;
  /** Null outside of campaigns, and once the lead is deleted. */
  readonly leadId: number | null;
  /** Null without an answer. */
  readonly endReason: EndReason | null;
  readonly turns: readonly CallTurnInfo[];
}

/** What a page of calls is narrowed to. */
export interface CallInfoFilter {
  readonly status?: CallStatus;
  readonly type?: CallType;
  readonly assistantId?: number;
  readonly campaignId?: number;
  /** In any usual way; without country code, a number of the country of the account. */
  readonly customerPhone?: string;
  /** Made at this moment or later. */
  readonly from?: Date;
  readonly before?: Date;
}

/** Calls of an account, for plugins. Take the account from the caller, the event or the tool. */
@Injectable()
export class CallInfoService {
  constructor(
    private readonly calls: CallsService,
    private readonly lists: CallListService,
  ) {}

  /** Null when the account has no such call. */
  async find(userId: number, id: number): Promise<CallDetails | null> {
    try {
      return toDetails(await this.calls.getWithTurns(userId, id));
    } catch (error) {
      if (error instanceof CallNotFoundError) return null;
      throw error;
    }
  }

  /**
   * One page, newest first.
   *
   * @throws RangeError for more than 100 rows
   */
  async page(userId: number, filter: CallInfoFilter, page: PageRequest): Promise<PageOf<CallInfo>> {
    refuseUnbounded(page);
    const { customerPhone: phoneNumber, ...others } = filter;
    const { rows, total } = await this.lists.page(userId, { ...others, phoneNumber }, page);
    return { rows: rows.map(toInfo), total };
  }
}

function toInfo(call: ShownCall): CallInfo {
  return {
    id: call.id,
    type: call.type,
    status: call.status,
    assistantName: call.assistantName,
    campaignName: call.campaignName,
    customerPhone: call.clientPhoneNumber,
    assistantPhone: call.assistantPhoneNumber,
    durationSeconds: call.durationSeconds,
    answeredBy: call.answeredBy,
    transcript: call.transcript,
    variables: call.variables,
    evaluation: call.evaluation,
    createdAt: call.createdAt,
    updatedAt: call.updatedAt,
  };
}

function toDetails(call: DetailedCall): CallDetails {
  const { assistantId, campaignId, leadId, endReason } = call;
  const turns = call.turns.map(({ role, text, startMs, endMs, interrupted }) => ({
    role,
    text,
    startMs,
    endMs,
    interrupted,
  }));
  return { ...toInfo(call), assistantId, campaignId, leadId, endReason, turns };
}
