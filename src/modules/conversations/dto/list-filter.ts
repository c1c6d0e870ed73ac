import type { Principal } from '../../../common/auth/principal.js';
import { isOfPerson } from '../../../common/auth/scopes.js';
import { MAX_INTEGER, UUID } from '../../../common/http/fields.js';
import { ValidationFailedError } from '../../../common/errors/errors.js';
import type { ConversationFilter, ListRequest } from '../inbox/conversation-list.repository.js';
import type { ListConversationsQuery } from './conversation.request.js';
import { decodeCursor } from './cursor.js';

const DEFAULT_PER_PAGE = 15;

/** @throws ValidationFailedError for a wrong cursor, assistant or assignee */
export function listRequestOf(query: ListConversationsQuery, caller: Principal): ListRequest {
  const sort = query.sort ?? 'created';
  return {
    filter: { ...filterOf(query), ...assistantOf(query.assistant_id), ...assigneeOf(query.assignee, caller) },
    sort,
    limit: query.per_page ?? DEFAULT_PER_PAGE,
    position: decodeCursor(query.cursor, sort),
  };
}

function filterOf(query: ListConversationsQuery): ConversationFilter {
  const { type, state, unread, tag, q, customer_phone, external_identifier } = query;
  const search = q?.trim();
  return {
    ...(type ? { type } : {}),
    // No conversation comes from WhatsApp, so none has a sender there.
    ...(query.whatsapp_sender_phone === undefined ? {} : { type: 'whatsapp' }),
    customer: { customer_phone, external_identifier },
    ...(state ? { state } : {}),
    ...(unread === undefined ? {} : { unread: unread === 'true' }),
    ...(tag === undefined ? {} : { tag }),
    ...(search ? { search } : {}),
  };
}

/** The uuid that conversations show, or the id that assistants show. */
function assistantOf(assistant: string | undefined): ConversationFilter {
  if (assistant === undefined) return {};
  if (UUID.test(assistant)) return { assistantUuid: assistant.toLowerCase() };
  if (isId(assistant)) return { assistantId: Number(assistant) };
  throw ValidationFailedError.of('assistant_id', 'validation.exists');
}

function assigneeOf(assignee: string | undefined, caller: Principal): ConversationFilter {
  if (assignee === undefined) return {};
  if (assignee === 'none' || assignee === 'owner') return { assignee };
  if (isId(assignee)) return { assignee: { memberId: Number(assignee) } };
  if (assignee !== 'me') throw ValidationFailedError.of('assignee', 'validation.exists');
  if (!isOfPerson(caller)) return { assignee: 'unknown' };
  const { memberId } = caller;
  return { assignee: memberId === undefined ? 'owner' : { memberId } };
}

function isId(text: string): boolean {
  return /^\d{1,10}$/.test(text) && Number(text) <= MAX_INTEGER;
}
