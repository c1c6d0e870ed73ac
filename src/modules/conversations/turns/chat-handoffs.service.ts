import { Injectable } from '@nestjs/common';
import { AssistantActivationService } from '../../assistants/activation/assistant-activation.service.js';
import { Handoffs, type Speaker, speakerOf } from '../../../runtime/handoff/handoffs.js';
import { type ChatAssistant, ChatAssistantsService } from './chat-assistants.service.js';
import type { HandoffState } from './turns.repository.js';

interface ChatParty {
  readonly userId: number;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly isFromVisitor: boolean;
  readonly trustedVariables: readonly string[];
}

/** The assistant that answers in a conversation, and those that may take it over. */
@Injectable()
export class ChatHandoffsService {
  constructor(
    private readonly assistants: ChatAssistantsService,
    private readonly activation: AssistantActivationService,
  ) {}

  /**
   * Who has the conversation: its own assistant, or the one that has taken over. One that was deleted since has left the
   * conversation to its own assistant; one that was only switched off keeps it.
   */
  async speakerOf(own: ChatAssistant, party: ChatParty, state: HandoffState | null): Promise<Speaker> {
    const id = state?.speakerId ?? null;
    const found = id === null ? null : await this.assistants.find(party.userId, id);
    return speaker(found ?? own, party);
  }

  of(party: ChatParty, state: HandoffState | null): Handoffs {
    return new Handoffs({
      count: state?.count ?? 0,
      find: async (assistantId) => {
        const found = await this.assistants.find(party.userId, assistantId);
        return found && (await this.mayTakeOver(found, party)) ? speaker(found, party) : null;
      },
    });
  }

  /** One that was never used becomes active by it. */
  private async mayTakeOver({ isActive, compiled }: ChatAssistant, { userId }: ChatParty): Promise<boolean> {
    return isActive || this.activation.use(userId, compiled.id, 'handed-over');
  }
}

function speaker({ compiled }: ChatAssistant, party: ChatParty): Speaker {
  const { variables, isFromVisitor, trustedVariables } = party;
  return speakerOf(compiled, { variables, isFromVisitor, trustedVariables, now: new Date() });
}
