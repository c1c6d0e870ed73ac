import { Injectable } from '@nestjs/common';
import {
  AssistantActivationService,
  type CallableAssistant,
} from '../assistants/activation/assistant-activation.service.js';
import type { CallRouting } from '../../common/phone/call-routing.js';
import type { LookupDecision } from './lookups/lookup-decision.js';
import { NO_ROUTING, type NumberRouting, planOf, type RoutingPlan } from './number-routing.js';
import { NumberRoutingsRepository } from './number-routings.repository.js';

/** What a routing does with a call, if lines and money suffice. */
export interface RoutingPreview extends CallRouting {
  /** Null where it has no hours. */
  readonly open: boolean | null;
  /** Who answers; null for other actions than `assistant`. */
  readonly assistant: Pick<CallableAssistant, 'id' | 'name'> | null;
  /** Where the call is forwarded to; null for other actions than `forward`. */
  readonly phoneNumber: string | null;
  /** What is said; null for other actions than `message`. */
  readonly text: string | null;
}

/** A number as lists show it. */
interface ListedNumber {
  readonly id: number;
  readonly userId: number;
  readonly type: string;
}

/** Tells who would answer the calls of numbers. */
@Injectable()
export class RoutingPreviewsService {
  constructor(
    private readonly routings: NumberRoutingsRepository,
    private readonly activation: AssistantActivationService,
  ) {}

  /** @param decision of a lookup of the caller; null: there is none */
  async preview(
    userId: number,
    phoneNumberId: number,
    routing: NumberRouting,
    at: Date,
    decision: LookupDecision | null = null,
  ): Promise<RoutingPreview> {
    const named = [...assistantsIn(routing), ...(decision?.assistantId ? [decision.assistantId] : [])];
    const callable = await this.activation.findCallable(userId, named, [phoneNumberId]);
    return previewOf(phoneNumberId, planOf(routing, at, decision), callable);
  }

  /** Of the account's own numbers that receive calls, at the moment, by their ids. */
  async previewAll(
    userId: number,
    numbers: readonly ListedNumber[],
  ): Promise<ReadonlyMap<number, RoutingPreview>> {
    const ids = numbers
      .filter((number) => number.userId === userId && number.type !== 'caller_id')
      .map(({ id }) => id);
    const routings = await this.routings.findOf(userId, ids);
    const named = [...routings.values()].flatMap(assistantsIn);
    const callable = ids.length === 0 ? [] : await this.activation.findCallable(userId, named, ids);
    const at = new Date();
    return new Map(
      ids.map((id) => [id, previewOf(id, planOf(routings.get(id) ?? NO_ROUTING, at), callable)]),
    );
  }
}

function previewOf(
  phoneNumberId: number,
  { open, steps }: RoutingPlan,
  callable: readonly CallableAssistant[],
): RoutingPreview {
  let failed: CallRouting['reason'] = null;
  for (const { branch, action, assistantId, phoneNumber, text, reason } of steps) {
    const what = { open, branch, action, reason: reason ?? failed, phoneNumber, text };
    if (action !== 'assistant') return { ...what, assistant: null };
    const assistant = callable.find(({ id, answersNumberId }) =>
      assistantId === null ? answersNumberId === phoneNumberId : id === assistantId,
    );
    if (assistant) return { ...what, assistant };
    failed ??= 'no_assistant';
  }
  const nothing = { assistant: null, phoneNumber: null, text: null };
  return { open, branch: 'unavailable', action: 'busy', reason: failed, ...nothing };
}

function assistantsIn({ closed, unavailable }: NumberRouting): number[] {
  return [closed, unavailable].flatMap((branch) =>
    branch.action === 'assistant' ? [branch.assistant_id] : [],
  );
}
