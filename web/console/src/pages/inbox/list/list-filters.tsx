import { ActionIcon, CloseButton, Tooltip } from '@mantine/core';
import { MailQuestionMark, Search, Tag } from 'lucide-react';
import { type ReactNode, type Ref, useState } from 'react';
import { SearchInput } from '../../../components/inputs/search-input.js';
import { Segments } from '../../../components/inputs/segments.js';
import { MAX_TAG_LENGTH } from '../../../components/tags/tags.js';
import { useTexts } from '../../../texts/texts.js';
import { INBOX_ASSIGNEES, INBOX_STATES, type InboxFilters } from './filters.js';
import classes from '../inbox.module.css';

interface Props {
  readonly filters: InboxFilters;
  readonly onChange: (filters: InboxFilters) => void;
  readonly searchRef: Ref<HTMLInputElement>;
}

export function ListFilters({ filters, onChange, searchRef }: Props) {
  const t = useTexts('inbox');
  const [hasTagField, setTagField] = useState(false);
  const set = (changed: Partial<InboxFilters>) => onChange({ ...filters, ...changed });
  const isByTag = hasTagField || filters.tag !== undefined;
  return (
    <div className={classes.filters}>
      <div className={classes.searchLine}>
        <SearchInput
          ref={searchRef}
          type="search"
          aria-label={t.search}
          placeholder={t.search}
          value={filters.q ?? ''}
          maxLength={200}
          leftSection={<Search size={16} aria-hidden="true" />}
          rightSection={
            filters.q ? (
              <CloseButton size="sm" aria-label={t.clearSearch} onClick={() => set({ q: undefined })} />
            ) : null
          }
          onChange={(q) => set({ q })}
        />
        <Toggle
          label={t.byTag}
          icon={<Tag size={17} />}
          isOn={isByTag}
          onToggle={() => {
            setTagField(!isByTag);
            if (filters.tag !== undefined) set({ tag: undefined });
          }}
        />
        <Toggle
          label={t.onlyUnread}
          icon={<MailQuestionMark size={17} />}
          isOn={filters.unread === true}
          onToggle={() => set({ unread: filters.unread ? undefined : true })}
        />
      </div>
      {isByTag && (
        <SearchInput
          type="search"
          aria-label={t.tag}
          placeholder={t.tag}
          value={filters.tag ?? ''}
          maxLength={MAX_TAG_LENGTH}
          leftSection={<Tag size={16} aria-hidden="true" />}
          autoFocus={hasTagField}
          onChange={(tag) => set({ tag })}
        />
      )}
      <Segments
        label={t.stateFilter}
        value={filters.state ?? 'open'}
        options={INBOX_STATES.map((value) => ({ value, label: t.states[value] }))}
        onChange={(state) => set({ state })}
      />
      <Segments
        label={t.assigneeFilter}
        value={filters.assignee ?? 'all'}
        options={(['all', ...INBOX_ASSIGNEES] as const).map((value) => ({
          value,
          label: t.assignees[value],
        }))}
        onChange={(chosen) => set({ assignee: chosen === 'all' ? undefined : chosen })}
      />
    </div>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly isOn: boolean;
  readonly onToggle: () => void;
}

function Toggle({ label, icon, isOn, onToggle }: ToggleProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        size={34}
        variant={isOn ? 'light' : 'subtle'}
        color={isOn ? 'iris' : 'gray'}
        aria-label={label}
        aria-pressed={isOn}
        onClick={onToggle}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
