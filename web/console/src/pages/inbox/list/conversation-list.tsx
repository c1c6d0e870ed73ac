import { Button } from '@mantine/core';
import { Link, useNavigate, useRouter } from '@tanstack/react-router';
import { Inbox, SearchX } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { EmptyState } from '../../../components/states/empty-state.js';
import { Loaded } from '../../../components/states/loaded.js';
import { useTexts } from '../../../texts/texts.js';
import { ConversationRow } from './conversation-row.js';
import type { InboxFilters } from './filters.js';
import classes from '../inbox.module.css';
import type { useConversations } from '../use-inbox.js';

interface Props {
  readonly filters: InboxFilters;
  readonly query: ReturnType<typeof useConversations>;
}

export function ConversationList({ filters, query }: Props) {
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
            <ul aria-label={t.list}>
              {conversations.map((conversation) => (
                <li key={conversation.id}>
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
function useRows({ state, assignee, unread, tag, q }: InboxFilters) {
  const navigate = useNavigate();
  const router = useRouter();
  const filters = useMemo(() => ({ state, assignee, unread, tag, q }), [state, assignee, unread, tag, q]);
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

function NothingHere({ filters: { id: _id, ...filters } }: { readonly filters: InboxFilters }) {
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
