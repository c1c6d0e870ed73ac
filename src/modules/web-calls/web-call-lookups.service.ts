import { Injectable } from '@nestjs/common';
import { Transactions } from '../../database/transactions.js';
import { ActiveCallsService } from '../active-calls/active-calls.service.js';
import { ReservedLinesService } from '../active-calls/capacity/reserved-lines.service.js';
import type { AssistantDetails } from '../assistants/assistant-details.js';
import { AssistantLookupsService } from '../caller-lookups/assistant-lookups.service.js';
import { CallsService } from '../calls/calls.service.js';

interface WrittenCall {
  readonly callId: number;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly byVisitor: boolean;
}

/** Looks up who a web call is from, after it has been written and before its browser learns of it. */
@Injectable()
export class WebCallLookupsService {
  constructor(
    private readonly lookups: AssistantLookupsService,
    private readonly calls: CallsService,
    private readonly activeCalls: ActiveCallsService,
    private readonly reserved: ReservedLinesService,
    private readonly transactions: Transactions,
  ) {}

  /** Who is refused is not looked up, and no transaction waits for the server that is asked. */
  async lookUp(assistant: AssistantDetails, call: WrittenCall): Promise<void> {
    const { callId } = call;
    const opening = { ...call, type: 'web', conversationId: null } as const;
    const { lookup, variables, lookupVariables, initialMessage } = await this.lookups.profileOf(
      assistant,
      opening,
    );
    if (lookup === null) return;
    const context = { initialMessage, lookupVariables };
    await this.transactions.run(async (tx) => {
      await this.reserved.extend(callId, tx);
      const { status, ms, error, answer } = lookup;
      const routing = {
        branch: 'open',
        action: 'assistant',
        reason: null,
        lookup: { status, ms, error },
      } as const;
      const own = { userId: assistant.userId, id: callId };
      await this.calls.setLookup(own, routing, answer && variables, tx);
      if (answer) await this.activeCalls.setCallerContext(callId, context, tx);
    });
  }
}
