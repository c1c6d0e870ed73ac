import { sortFrom } from '../../../components/tables/sort.js';

export const INBOX_STATES = ['open', 'waiting', 'human', 'ended'] as const;
export type InboxState = (typeof INBOX_STATES)[number];

export const INBOX_ASSIGNEES = ['me', 'none'] as const;
export type InboxAssignee = (typeof INBOX_ASSIGNEES)[number];

/** Filters of the inbox, kept in the URL. */
export interface InboxFilters {
  /** The conversation that is open. */
  readonly id?: string;
  /** Default: open. */
  readonly state?: InboxState;
  /** Default: all. */
  readonly assignee?: InboxAssignee;
  readonly unread?: true;
  readonly tag?: string;
  readonly q?: string;
  /** Default: the latest message first. */
  readonly sort?: 'oldest';
}

export function inboxFiltersFrom(search: Record<string, unknown>): InboxFilters {
  const state = INBOX_STATES.find((known) => known === search.state);
  const assignee = INBOX_ASSIGNEES.find((known) => known === search.assignee);
  const { id } = search;
  // The router parses digits as a number.
  const text = (value: unknown) => (typeof value === 'number' || typeof value === 'string' ? `${value}` : '');
  const [tag, q] = [text(search.tag), text(search.q)];
  return {
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
    ...(state && state !== 'open' ? { state } : {}),
    ...(assignee ? { assignee } : {}),
    ...(search.unread === true ? { unread: true } : {}),
    ...(tag === '' ? {} : { tag }),
    ...(q === '' ? {} : { q }),
    ...sortFrom(search, ['oldest'] as const),
  };
}
