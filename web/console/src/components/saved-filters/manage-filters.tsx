import { ActionIcon, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { Pencil, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Dimmed } from '../dimmed.js';
import { useTexts } from '../../texts/texts.js';
import { Form } from '../inputs/form.js';
import { MAX_NAME_LENGTH, MOST_FILTERS, type SavedFilter } from './saved-filter.js';
import type { SavedFiltersStore } from './use-saved-filters.js';

interface Props {
  readonly store: SavedFiltersStore;
  readonly current: SavedFilter['search'];
  readonly onClose: () => void;
}

/** Saves the filters of the page, and renames, replaces and deletes saved ones. */
export function ManageFilters({ store, current, onClose }: Props) {
  const { actions, savedFilters: t } = useTexts('common');
  const hasFilters = Object.keys(current).length > 0;
  const isFull = store.filters.length >= MOST_FILTERS;
  return (
    <Modal opened onClose={onClose} title={t.title}>
      <Stack>
        {hasFilters && !isFull && (
          <NameForm
            label={t.name}
            action={(name) => (isTaken(store, name) ? t.replace : actions.save)}
            onName={(name) => {
              store.save({ name, search: current });
              onClose();
            }}
          />
        )}
        {!hasFilters && <Dimmed>{t.noFilters}</Dimmed>}
        {isFull && <Dimmed>{t.full(MOST_FILTERS)}</Dimmed>}
        {store.filters.map((filter) => (
          <Saved key={filter.name} filter={filter} store={store} current={hasFilters ? current : null} />
        ))}
      </Stack>
    </Modal>
  );
}

function isTaken({ filters }: SavedFiltersStore, name: string): boolean {
  return filters.some((filter) => filter.name === name);
}

interface SavedProps {
  readonly filter: SavedFilter;
  readonly store: SavedFiltersStore;
  /** Null: the page has no filters that could replace it. */
  readonly current: SavedFilter['search'] | null;
}

function Saved({ filter, store, current }: SavedProps) {
  const { savedFilters: t } = useTexts('common');
  const [isRenaming, setRenaming] = useState(false);
  if (isRenaming) {
    return (
      <NameForm
        label={t.newName(filter.name)}
        first={filter.name}
        action={() => t.rename}
        isRefused={(name) => name !== filter.name && isTaken(store, name)}
        onName={(name) => {
          store.rename(filter, name);
          setRenaming(false);
        }}
      />
    );
  }
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {filter.name}
      </Text>
      <Group gap={2} wrap="nowrap">
        <ActionIcon aria-label={t.renameOf(filter.name)} onClick={() => setRenaming(true)}>
          <Pencil size={16} />
        </ActionIcon>
        {current && (
          <ActionIcon
            aria-label={t.replaceOf(filter.name)}
            onClick={() => store.save({ name: filter.name, search: current })}
          >
            <RefreshCw size={16} />
          </ActionIcon>
        )}
        <ActionIcon aria-label={t.deleteOf(filter.name)} onClick={() => store.remove(filter)}>
          <Trash2 size={16} />
        </ActionIcon>
      </Group>
    </Group>
  );
}

interface FormProps {
  readonly label: string;
  readonly first?: string;
  readonly action: (name: string) => string;
  readonly isRefused?: (name: string) => boolean;
  readonly onName: (name: string) => void;
}

function NameForm({ label, first = '', action, isRefused, onName }: FormProps) {
  const { savedFilters: t } = useTexts('common');
  const [typed, setTyped] = useState(first);
  const name = typed.trim();
  const isTakenName = isRefused?.(name) ?? false;
  const submit = () => {
    if (name !== '' && !isTakenName) onName(name);
  };
  return (
    <Form onSubmit={submit}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label={label}
          value={typed}
          maxLength={MAX_NAME_LENGTH}
          autoComplete="off"
          data-autofocus
          autoFocus={first !== ''}
          error={isTakenName && t.taken}
          style={{ flex: 1 }}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit" variant="default">
          {action(name)}
        </Button>
      </Group>
    </Form>
  );
}
