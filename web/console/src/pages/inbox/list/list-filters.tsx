import { ActionIcon, CloseButton, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { MailQuestionMark, Search } from 'lucide-react';
import { type Ref, useState } from 'react';
import { Segments } from '../../../components/inputs/segments.js';
import { useTexts } from '../../../texts/texts.js';
import { INBOX_ASSIGNEES, INBOX_STATES, type InboxFilters } from './filters.js';
import classes from '../inbox.module.css';

const SEARCH_DELAY_MS = 250;

interface Props {
  readonly filters: InboxFilters;
  readonly onChange: (filters: InboxFilters) => void;
  readonly searchRef: Ref<HTMLInputElement>;
}

export function ListFilters({ filters, onChange, searchRef }: Props) {
  const t = useTexts('inbox');
  const [words, setWords] = useState(filters.q ?? '');
  const search = (q: string) => onChange({ ...filters, q });
  const searchSoon = useDebouncedCallback(search, SEARCH_DELAY_MS);
  const clear = () => {
    setWords('');
    search('');
  };
  return (
    <div className={classes.filters}>
      <div className={classes.searchLine}>
        <TextInput
          ref={searchRef}
          type="search"
          aria-label={t.search}
          placeholder={t.search}
          value={words}
          maxLength={200}
          leftSection={<Search size={16} aria-hidden="true" />}
          rightSection={words ? <CloseButton size="sm" aria-label={t.clearSearch} onClick={clear} /> : null}
          onChange={({ currentTarget }) => {
            setWords(currentTarget.value);
            searchSoon(currentTarget.value);
          }}
        />
        <Tooltip label={t.onlyUnread}>
          <ActionIcon
            size={34}
            variant={filters.unread ? 'light' : 'subtle'}
            color={filters.unread ? 'iris' : 'gray'}
            aria-label={t.onlyUnread}
            aria-pressed={filters.unread === true}
            onClick={() => onChange({ ...filters, unread: filters.unread ? undefined : true })}
          >
            <MailQuestionMark size={17} />
          </ActionIcon>
        </Tooltip>
      </div>
      <Segments
        label={t.stateFilter}
        value={filters.state ?? 'open'}
        options={INBOX_STATES.map((value) => ({ value, label: t.states[value] }))}
        onChange={(state) => onChange({ ...filters, state })}
      />
      <Segments
        label={t.assigneeFilter}
        value={filters.assignee ?? 'all'}
        options={(['all', ...INBOX_ASSIGNEES] as const).map((value) => ({
          value,
          label: t.assignees[value],
        }))}
        onChange={(chosen) => onChange({ ...filters, assignee: chosen === 'all' ? undefined : chosen })}
      />
    </div>
  );
}
