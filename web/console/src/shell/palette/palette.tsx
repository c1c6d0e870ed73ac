import { CloseButton, Loader, Modal, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useId, useState } from 'react';
import { Dimmed } from '../../components/dimmed.js';
import { useTexts } from '../../texts/texts.js';
import type { PaletteItem } from './palette-group.js';
import classes from './palette.module.css';
import { PaletteResults } from './palette-results.js';
import { useListedGroups } from './use-listed-groups.js';
import { useSearchedGroups } from './use-searched-groups.js';
import { useActiveItem } from './use-active-item.js';

/** The server searches messages by their words and takes as many. */
const MAX_LENGTH = 100;
const DELAY_MS = 250;

interface Props {
  /** Without a choice. */
  readonly onClose: () => void;
  readonly onChoose: (item: PaletteItem) => void;
}

/** Finds pages, and what the account has, by name or number. */
export function Palette({ onClose, onChoose }: Props) {
  const t = useTexts('palette');
  const { actions } = useTexts('common');
  const listId = useId();
  const [typed, setTyped] = useState('');
  const words = typed.trim();
  const [searched] = useDebouncedValue(words, DELAY_MS);
  const groups = [...useListedGroups(words), ...useSearchedGroups(searched)];
  const shown = groups.filter(({ items }) => items.length > 0);
  const items = shown.flatMap((group) => group.items);
  const isLoading = words !== searched || groups.some((group) => group.isLoading);
  const failed = groups.filter(({ isFailed }) => isFailed).map(({ name }) => t.groups[name]);
  const { active, onKeyDown, activate } = useActiveItem(items, words, onChoose);
  return (
    <Modal.Root opened onClose={onClose} size="38rem" returnFocus={false} transitionProps={{ duration: 0 }}>
      <Modal.Overlay backgroundOpacity={0.35} />
      <Modal.Content aria-label={t.title} radius="md">
        <TextInput
          size="md"
          variant="unstyled"
          className={classes.input}
          value={typed}
          maxLength={MAX_LENGTH}
          placeholder={t.placeholder}
          aria-label={t.title}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={items.length > 0}
          aria-controls={listId}
          aria-activedescendant={active && `${listId}-${active.id}`}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          leftSection={isLoading ? <Loader size={16} /> : <Search size={17} aria-hidden="true" />}
          rightSection={<CloseButton aria-label={actions.close} onClick={onClose} />}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <PaletteResults
          id={listId}
          groups={shown}
          active={active}
          onActivate={activate}
          onChoose={onChoose}
        />
        {words !== '' && !isLoading && items.length === 0 && (
          <div className={classes.note}>
            <Text size="sm">{t.none(words)}</Text>
            <Dimmed>{t.callHint}</Dimmed>
          </div>
        )}
        {failed.length > 0 && (
          <Text size="sm" c="red" role="alert" className={classes.note}>
            {t.failed(failed.join(', '))}
          </Text>
        )}
        <VisuallyHidden role="status">
          {words === '' || isLoading ? '' : items.length > 0 ? t.count(items.length) : t.none(words)}
        </VisuallyHidden>
      </Modal.Content>
    </Modal.Root>
  );
}
