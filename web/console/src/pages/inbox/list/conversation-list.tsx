import { Button, Text } from '@mantine/core';
import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { Inbox, SearchX } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { customerName } from '../../../components/customer-name.js';
import { lazyNamed } from '../../../components/states/lazy-named.js';
import { EmptyState } from '../../../components/states/empty-state.js';
import { Loaded } from '../../../components/states/loaded.js';
import { SelectAll, SelectRow } from '../../../components/tables/select-cells.js';
import type { Selection } from '../../../components/tables/use-selection.js';
import { useTexts } from '../../../texts/texts.js';
import { ConversationRow } from './conversation-row.js';
import type { InboxFilters } from './filters.js';
import classes from '../inbox.module.css';
import type { useConversations } from '../use-inbox.js';

const InboxBulk = lazyNamed(async () => (await import('./inbox-bulk.js')).InboxBulk);

interface Props {
  readonly filters: InboxFilters;
  readonly query: ReturnType<typeof useConversations>;
  /** Null while conversations are not being selected. */
  readonly selection: Selection<string> | null;
}

export function ConversationList({ filters, query, selection }: Props) {
  const t = useTexts('inbox');
  const { actions } = useTexts('common');
  const { open, hrefOf } = useRows(filters);
  return (
    <Loaded query={query} lines={8}>
      {({ pages }) => {
        const conversations = pages.flatMap(({ data }) => data);
        if (conversations.length === 0) return <NothingHere filters={filters} />;
        return (
          <div className={classes.rows}>
            {selection && <InboxBulk selection={selection} />}
            {selection && (
              <div className={classes.selectAll}>
                <SelectAll selection={selection} />
                <Text size="sm">{t.bulk.all}</Text>
              </div>
            )}
            <ul aria-label={t.list}>
              {conversations.map((conversation) => (
                <li key={conversation.id} className={selection ? classes.selectable : undefined}>
                  {selection && (
                    <SelectRow
                      id={conversation.id}
                      name={customerName(conversation, t.visitor)}
                      selection={selection}
                    />
                  )}
                  <ConversationRow
                    conversation={conversation}
                    isOpen={conversation.id === filters.id}
                    href={hrefOf(conversation.id)}
                    onOpen={open}
                  />
                </li>
              ))}
            </ul>
            {query.hasNextPage && (
              <Button
                variant="subtle"
                fullWidth
                loading={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                {actions.loadMore}
              </Button>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

/** Link and click handler of each row. Both stay the same when another conversation opens. */
function useRows({ state, assignee, unread, tag, q, sort }: InboxFilters) {
  const navigate = useNavigate();
  const router = useRouter();
  const filters = useMemo(
    () => ({ state, assignee, unread, tag, q, sort }),
    [state, assignee, unread, tag, q, sort],
  );
  const open = useCallback(
    (id: string) => void navigate({ to: '/inbox', search: { ...filters, id } }),
    [navigate, filters],
  );
  const hrefOf = useMemo(() => {
    const PLACE = '00000000-0000-0000-0000-000000000000';
    const { href } = router.buildLocation({ to: '/inbox', search: { ...filters, id: PLACE } });
    return (id: string) => router.history.createHref(href.replace(PLACE, id));
  }, [router, filters]);
  return { open, hrefOf };
}

function NothingHere({ filters: { id: _id, sort: _sort, ...filters } }: { readonly filters: InboxFilters }) {
  const t = useTexts('inbox');
  if (Object.values(filters).some((value) => value !== undefined)) {
    return (
      <EmptyState
        icon={SearchX}
        title={t.empty.filtered}
        action={
          <Button variant="default" size="xs" component={Link} to="/inbox">
            {t.empty.clear}
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={Inbox}
      title={t.empty.title}
      action={
        <Button variant="default" size="xs" component={Link} to="/assistants">
          {t.empty.toAssistants}
        </Button>
      }
    >
      {t.empty.text}
    </EmptyState>
  );
}
