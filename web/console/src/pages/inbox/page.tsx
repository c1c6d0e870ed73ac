import { ActionIcon, Group, Title, Tooltip, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ArrowUpDown, Keyboard, ListChecks, MessagesSquare } from 'lucide-react';
import { useRef, useState } from 'react';
import { lazyNamed } from '../../components/states/lazy-named.js';
import { EmptyState } from '../../components/states/empty-state.js';
import { SavedFilters } from '../../components/saved-filters/saved-filters.js';
import { useDocumentTitle } from '../../components/page/use-document-title.js';
import { useTexts } from '../../texts/texts.js';
import { ConversationList } from './list/conversation-list.js';
import { ConversationView } from './conversation/conversation-view.js';
import type { InboxFilters } from './list/filters.js';
import classes from './inbox.module.css';
import { ListFilters } from './list/list-filters.js';
import { useChoosing } from './list/use-choosing.js';
import { useListKeys } from './list/use-list-keys.js';
import { useConversations } from './use-inbox.js';
import { useFocusOfRow } from './use-focus.js';
import { useWaitingNotifications } from './use-waiting-notifications.js';
import { useWaitingSound } from './use-waiting-sound.js';

const InboxShortcuts = lazyNamed(async () => (await import('./inbox-shortcuts.js')).InboxShortcuts);

const route = getRouteApi('/shell/inbox');

export function InboxPage() {
  const t = useTexts('inbox');
  const { shortcuts } = useTexts('common');
  const filters = route.useSearch();
  const navigate = useNavigate();
  const query = useConversations(filters);
  const searchRef = useRef<HTMLInputElement>(null);
  const [isHelpOpen, help] = useDisclosure(false);
  useDocumentTitle(t.title);
  useWaitingSound();
  const show = (search: InboxFilters) => void navigate({ to: '/inbox', search, replace: true });
  const [firstId] = useState(filters.id);
  const [announcement, announce] = useState('');
  useWaitingNotifications((id) => show({ ...filters, id }));
  useFocusOfRow(filters.id);
  const ids = query.data?.pages.flatMap(({ data }) => data.map(({ id }) => id)) ?? [];
  const choosing = useChoosing(ids, filters.id);
  useListKeys({
    ids,
    openId: filters.id,
    onOpen: (id) => show({ ...filters, id }),
    onSearch: () => searchRef.current?.focus(),
    onHelp: help.open,
  });
  return (
    <div className={classes.inbox} data-open={filters.id ? true : undefined}>
      {/* The visible one is hidden where there is room for the conversation alone. */}
      <VisuallyHidden component="h1">{t.title}</VisuallyHidden>
      <section className={classes.listPane} aria-label={t.list}>
        <header className={classes.listHeader}>
          <Title order={2} lineClamp={1} aria-hidden="true">
            {t.title}
          </Title>
          <Group gap={4} wrap="nowrap">
            <SavedFilters page="inbox" />
            <Tooltip label={t.oldestFirst}>
              <ActionIcon
                aria-label={t.oldestFirst}
                aria-pressed={filters.sort === 'oldest'}
                onClick={() => show({ ...filters, sort: filters.sort ? undefined : 'oldest' })}
              >
                <ArrowUpDown size={17} />
              </ActionIcon>
            </Tooltip>
            {choosing.isAllowed && (
              <Tooltip label={t.bulk.select}>
                <ActionIcon
                  aria-label={t.bulk.select}
                  aria-pressed={choosing.selection !== null}
                  onClick={choosing.toggle}
                >
                  <ListChecks size={17} />
                </ActionIcon>
              </Tooltip>
            )}
            <Tooltip label={shortcuts.title}>
              <ActionIcon aria-label={shortcuts.title} onClick={help.open}>
                <Keyboard size={17} />
              </ActionIcon>
            </Tooltip>
          </Group>
        </header>
        <ListFilters filters={filters} onChange={show} searchRef={searchRef} />
        <ConversationList filters={filters} query={query} selection={choosing.selection} />
      </section>
      {filters.id ? (
        <ConversationView
          key={filters.id}
          id={filters.id}
          isFirst={filters.id === firstId}
          onAnnounce={announce}
          onBack={() => show({ ...filters, id: undefined })}
        />
      ) : (
        <section className={classes.nothing}>
          <EmptyState icon={MessagesSquare} title={t.empty.pick}>
            {t.empty.pickText}
          </EmptyState>
        </section>
      )}
      {isHelpOpen && <InboxShortcuts opened onClose={help.close} />}
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
    </div>
  );
}
