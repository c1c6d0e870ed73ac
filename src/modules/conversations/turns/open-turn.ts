import type { ChatAssistant } from './chat-assistants.service.js';
import type { ConversationOrigin } from '../conversations.repository.js';
import type { BegunTurn, Turn } from './turns.repository.js';

/** A turn under way: its message is stored and its price held. */
export type OpenTurn = Turn &
  BegunTurn &
  Pick<ConversationOrigin, 'byVisitor' | 'lookupVariables'> & {
    readonly assistant: ChatAssistant;
    readonly isTest: boolean;
  };
