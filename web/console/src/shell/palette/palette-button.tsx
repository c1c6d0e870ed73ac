import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core';
import { Search } from 'lucide-react';
import { useTexts } from '../../texts/texts.js';
import classes from '../shell.module.css';

const KEYS = /Mac|iP(hone|ad|od)/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';

interface Props {
  /** As an icon alone. */
  readonly isSmall?: boolean;
  readonly onClick: () => void;
}

export function PaletteButton({ isSmall, onClick }: Props) {
  const t = useTexts('palette');
  const shortcut = { 'aria-keyshortcuts': 'Control+K Meta+K', 'aria-haspopup': 'dialog' } as const;
  if (isSmall) {
    return (
      <ActionIcon
        {...shortcut}
        size="lg"
        className={classes.smallSearch}
        aria-label={t.title}
        onClick={onClick}
      >
        <Search size={18} />
      </ActionIcon>
    );
  }
  return (
    <UnstyledButton {...shortcut} className={classes.search} aria-label={t.title} onClick={onClick}>
      <Search size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className={classes.linkName}>{t.open}</span>
      <Kbd size="xs">{KEYS}</Kbd>
    </UnstyledButton>
  );
}
