import { MAX_INTEGER, UUID } from '../../../common/http/fields.js';
import { ValidationFailedError } from '../../../common/errors/errors.js';
import type { ConversationFilter } from '../conversations.repository.js';
import type { ListConversationsQuery } from './conversation.request.js';

/** `assistant_id` is the uuid that conversations show, or the id that assistants show. */
export function filterOf({ type, assistant_id: assistant }: ListConversationsQuery): ConversationFilter {
  const byType = type ? { type } : {};
  if (assistant === undefined) return byType;
  if (UUID.test(assistant)) return { ...byType, assistantUuid: assistant.toLowerCase() };
  if (/^\d{1,10}$/.test(assistant) && Number(assistant) <= MAX_INTEGER) {
    return { ...byType, assistantId: Number(assistant) };
  }
  throw ValidationFailedError.of('assistant_id', 'validation.exists');
}
