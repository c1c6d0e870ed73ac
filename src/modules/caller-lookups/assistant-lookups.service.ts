import { Injectable } from '@nestjs/common';
import { toE164 } from '../../common/phone/e164.js';
import { VariableNames } from '../../runtime/variable-names.js';
import type { AssistantDetails } from '../assistants/assistant-details.js';
import { type CallerProfile, profileFrom } from './caller-profile.js';
import { CallerLookupsService } from './caller-lookups.service.js';
import type { LookupResult, LookupType } from './lookup.js';

/** A web call or a conversation that is about to begin. */
export interface Opening {
  readonly type: Exclude<LookupType, 'inbound'>;
  readonly callId: number | null;
  readonly conversationId: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly byVisitor: boolean;
}

/** Looks up callers of web calls and conversations, where their assistant has a lookup. */
@Injectable()
export class AssistantLookupsService {
  constructor(private readonly lookups: CallerLookupsService) {}

  /**
   * Waits for the answer, so call it outside of transactions. Of the answer `variables` and `initial_message` are used. A page has
   * chosen the assistant, so `assistant_id`, `action` and `phone_number` have no effect here.
   */
  async profileOf(assistant: AssistantDetails, opening: Opening): Promise<CallerProfile> {
    return profileFrom(await this.ask(assistant, opening), opening.variables);
  }

  private async ask(
    { userId, id, config }: AssistantDetails,
    { type, callId, conversationId, variables, byVisitor }: Opening,
  ): Promise<LookupResult | null> {
    if (config.lookup_url === null) return null;
    return this.lookups.ask({
      userId,
      url: config.lookup_url,
      timeoutMs: config.lookup_timeout_ms,
      type,
      assistantId: id,
      customerPhone: byVisitor ? null : phoneIn(variables),
      assistantPhone: null,
      phoneNumberId: null,
      callId,
      conversationId,
      sipHeaders: {},
    });
  }
}

/** The number that an owner has given for the customer. A visitor may be anybody. */
function phoneIn(variables: Readonly<Record<string, unknown>>): string | null {
  const value = new VariableNames(variables).valueOf('customer_phone');
  return typeof value === 'string' ? toE164(value, '') : null;
}
