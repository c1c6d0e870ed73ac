import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { UUID } from '../../../common/http/fields.js';
import { Database } from '../../../database/database.js';
import { Conversation } from '../conversation.entity.js';

/** A row of the tenant's list. */
export interface ConversationRow {
  readonly conversation: Conversation;
  readonly assistantUuid: string | null;
  readonly assistantName: string | null;
  /** Sorted. */
  readonly tags: readonly string[];
  /** Absent while the conversation is unassigned. */
  readonly assignee?: Assignee;
}

/** A person of the account. */
export interface Assignee {
  /** Null for the owner of the account. */
  readonly memberId: number | null;
  readonly name: string;
}

/** `unknown`: a caller who is no person. */
export type AssigneeFilter = 'none' | 'owner' | 'unknown' | { readonly memberId: number };

/**
 * `open`: not ended. `ai`: open, and the AI answers. `human`: open, and the AI is off. `waiting`: the customer waits for a
 * person. `ended`.
 */
export const CONVERSATION_STATES = ['open', 'ai', 'human', 'waiting', 'ended'] as const;
export type ConversationState = (typeof CONVERSATION_STATES)[number];

/** `activity` and `oldest_activity`: by the last message, without conversations that have no message of the customer. */
export const CONVERSATION_SORTS = ['created', 'activity', 'oldest_activity'] as const;
export type ConversationSort = (typeof CONVERSATION_SORTS)[number];

/** Variables by which conversations are found; each has an index. */
export const CUSTOMER_VARIABLES = ['customer_phone', 'external_identifier'] as const;
export type CustomerVariable = (typeof CUSTOMER_VARIABLES)[number];

export interface ConversationFilter {
  /** A type that no conversation has matches none. */
  readonly type?: string;
  readonly assistantId?: number;
  readonly assistantUuid?: string;
  readonly state?: ConversationState;
  readonly unread?: boolean;
  readonly assignee?: AssigneeFilter;
  readonly tag?: string;
  /** Exact values of variables. */
  readonly customer?: Partial<Record<CustomerVariable, string>>;
  /** The id of a conversation, or words of its messages or variables. */
  readonly search?: string;
}

/** A place in the list. */
export interface ListPosition {
  /** When the row was created, or last written in, as the list is sorted. */
  readonly at: string;
  readonly id: string;
  readonly direction: 'next' | 'prev';
}

export interface ListRequest {
  readonly filter: ConversationFilter;
  readonly sort: ConversationSort;
  readonly limit: number;
  readonly position?: ListPosition | undefined;
}

const SORTED_BY: Readonly<Record<ConversationSort, string>> = {
  created: 'conversation.created_at',
  activity: 'conversation.last_message_at',
  oldest_activity: 'conversation.last_message_at',
};

/** In the words of the partial indexes, or they would not be used. */
const CONDITION_OF: Readonly<Record<ConversationState, string>> = {
  open: 'conversation.ended_at IS NULL',
  ai: 'conversation.ended_at IS NULL AND conversation.ai_enabled',
  human: 'conversation.ended_at IS NULL AND NOT conversation.ai_enabled',
  waiting: 'conversation.waiting_since IS NOT NULL',
  ended: 'conversation.ended_at IS NOT NULL',
};

const ASSIGNED_TO = {
  none: 'conversation.assignee_id IS NULL AND NOT conversation.assigned_to_owner',
  owner: 'conversation.assigned_to_owner',
  unknown: 'FALSE',
};

const HAS_WORDS = `conversation.id IN (
  SELECT messages.conversation_id FROM messages
  WHERE words_of_account(messages.user_id, messages.content) @@ account_search(:userId, :search)
  UNION
  SELECT conversation_words.conversation_id FROM conversation_words
  WHERE conversation_words.words @@ account_search(:userId, :search))`;

const TAGS = `ARRAY(SELECT conversation_tags.tag FROM conversation_tags
  WHERE conversation_tags.conversation_id = conversation.id ORDER BY conversation_tags.tag COLLATE "C")`;
const IS_TAGGED = `conversation.id IN (
  SELECT conversation_tags.conversation_id FROM conversation_tags
  WHERE conversation_tags.user_id = :userId AND conversation_tags.tag = :tag)`;

type Query = SelectQueryBuilder<Conversation>;

/** What the tenant's lists of conversations read. */
@Injectable()
export class ConversationListRepository {
  constructor(private readonly database: Database) {}

  /** One row more than `limit` when there are more, so that the caller knows. From the position on, in its direction. */
  async list(userId: number, { filter, sort, limit, position }: ListRequest): Promise<ConversationRow[]> {
    const isAscending = (sort === 'oldest_activity') !== (position?.direction === 'prev');
    const order = isAscending ? 'ASC' : 'DESC';
    const query = this.rowsOf(userId)
      .orderBy(SORTED_BY[sort], order)
      .addOrderBy('conversation.id', order)
      .limit(limit + 1);
    if (sort !== 'created') query.andWhere('conversation.last_message_at IS NOT NULL');
    applyFilter(query, filter);
    if (position) {
      query.andWhere(`(${SORTED_BY[sort]}, conversation.id) ${isAscending ? '>' : '<'} (:at, :id)`, position);
    }
    return read(query);
  }

  async find(userId: number, id: string): Promise<ConversationRow | null> {
    const [row] = await read(this.rowsOf(userId).andWhere('conversation.id = :id', { id }));
    return row ?? null;
  }

  private rowsOf(userId: number): Query {
    return this.database
      .manager()
      .createQueryBuilder(Conversation, 'conversation')
      .leftJoin('assistants', 'assistant', 'assistant.id = conversation.assistant_id')
      .addSelect(['assistant.uuid', 'assistant.name'])
      .addSelect(TAGS, 'tags')
      .where('conversation.user_id = :userId', { userId });
  }
}

function applyFilter(
  query: Query,
  { type, assistantId, assistantUuid, state, unread, assignee, tag, customer, search }: ConversationFilter,
) {
  if (type) query.andWhere('conversation.type = :type', { type });
  if (assistantId !== undefined) query.andWhere('conversation.assistant_id = :assistantId', { assistantId });
  if (assistantUuid) query.andWhere('assistant.uuid = :assistantUuid', { assistantUuid });
  if (state) query.andWhere(CONDITION_OF[state]);
  if (unread !== undefined) query.andWhere(`conversation.unread_count ${unread ? '> 0' : '= 0'}`);
  if (typeof assignee === 'string') query.andWhere(ASSIGNED_TO[assignee]);
  else if (assignee) query.andWhere('conversation.assignee_id = :memberId', assignee);
  if (tag !== undefined) query.andWhere(IS_TAGGED, { tag });
  for (const variable of CUSTOMER_VARIABLES) {
    const value = customer?.[variable];
    if (value === undefined) continue;
    // The first comparison is the one that the index serves.
    query.andWhere(
      `left(conversation.variables ->> '${variable}', 64) = left(:${variable}, 64) AND conversation.variables ->> '${variable}' = :${variable}`,
      { [variable]: value },
    );
  }
  if (search === undefined) return;
  if (UUID.test(search)) query.andWhere('conversation.id = :search', { search });
  else query.andWhere(HAS_WORDS, { search });
}

async function read(query: Query): Promise<ConversationRow[]> {
  const { entities, raw } = await query.getRawAndEntities<{
    assistant_uuid: string | null;
    assistant_name: string | null;
    tags: string[];
  }>();
  return entities.map((conversation, index) => ({
    conversation,
    assistantUuid: raw[index]?.assistant_uuid ?? null,
    assistantName: raw[index]?.assistant_name ?? null,
    tags: raw[index]?.tags ?? [],
  }));
}
