import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import type { CallSpeaker } from '../../../runtime/call/session/call-setup.js';
import type { VariableContext } from '../../../runtime/compile-assistant.js';
import { type HandoffSource, speakerOf } from '../../../runtime/handoff/handoffs.js';
import { AssistantActivationService } from '../../assistants/activation/assistant-activation.service.js';
import type { StoredCall } from '../../calls/call-facts.js';
import { type CallAssistant, CallAssistantsService } from '../call-assistants.service.js';
import type { CallLease } from '../leases/call-lease.js';
import { type CallHandoffState, CallHandoffsRepository } from './call-handoffs.repository.js';

const NO_HANDOFF: CallHandoffState = { speakerId: null, handoffs: 0 };

/** A call as hand-overs need it. */
export interface CallParty {
  readonly call: Pick<StoredCall, 'id' | 'userId' | 'assistantId'>;
  readonly lease: Pick<CallLease, 'token'>;
  readonly variableContext: VariableContext;
}

/** Who has a call before this process talks on it, and who may take it over. */
export interface CallHandoffs {
  readonly source: HandoffSource<CallSpeaker>;
  /** Null: the call's own assistant. */
  readonly speaker: CallSpeaker | null;
}

/** The assistant that speaks on a call, and those that may take it over. */
@Injectable()
export class CallHandoffsService {
  constructor(
    private readonly handoffs: CallHandoffsRepository,
    private readonly assistants: CallAssistantsService,
    private readonly activation: AssistantActivationService,
    private readonly logger: Logger,
  ) {}

  /** Of a call that begins. */
  begin(party: CallParty): CallHandoffs {
    return { source: this.sourceOf(party, NO_HANDOFF), speaker: null };
  }

  /**
   * For a call that another process, or an earlier run of this one, has talked on. An assistant that was deleted
   * since has left the call to its original one; one that was only switched off keeps it.
   */
  async resume(party: CallParty): Promise<CallHandoffs> {
    const { call } = party;
    const state = (await this.handoffs.find(call.id)) ?? NO_HANDOFF;
    const { speakerId: assistantId } = state;
    const found =
      assistantId === null ? null : await this.assistants.find({ userId: call.userId, assistantId });
    return { source: this.sourceOf(party, state), speaker: found && speaker(found, party) };
  }

  private sourceOf(party: CallParty, { handoffs: count }: CallHandoffState): HandoffSource<CallSpeaker> {
    const { call, lease } = party;
    return {
      count,
      find: async (assistantId) => {
        const found = await this.findTaker(call.userId, assistantId);
        return found && speaker(found, party);
      },
      record: ({ assistant: { id } }, handoffs) =>
        this.record(call.id, lease.token, { speakerId: id === call.assistantId ? null : id, handoffs }),
    };
  }

  /**
   * The assistant that is to take over; one that was never used becomes active by it. A database that does not answer
   * must not end the call: its assistant continues.
   */
  private async findTaker(userId: number, assistantId: number): Promise<CallAssistant | null> {
    try {
      const found = await this.assistants.find({ userId, assistantId });
      if (!found || found.isActive) return found;
      return (await this.activation.use(userId, assistantId, 'handed-over')) ? found : null;
    } catch (err) {
      this.logger.warn('assistant to hand over to not looked up', { assistantId, err });
      return null;
    }
  }

  private async record(callId: number, token: string, state: CallHandoffState): Promise<boolean> {
    try {
      return await this.handoffs.write(callId, token, state);
    } catch (err) {
      this.logger.warn('hand-over not noted', { callId, err });
      return false;
    }
  }
}

function speaker({ compiled, voice }: CallAssistant, { variableContext }: CallParty): CallSpeaker {
  return { ...speakerOf(compiled, variableContext), voice };
}
