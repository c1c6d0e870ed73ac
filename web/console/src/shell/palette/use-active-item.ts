import { type KeyboardEvent, useState } from 'react';
import type { PaletteItem } from './palette-group.js';

interface ActiveItem {
  readonly active: PaletteItem | undefined;
  /** Of the field: arrows move through the items, Enter opens one. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly activate: (item: PaletteItem) => void;
}

/**
 * The item that Enter opens: the first one, until the arrows or the pointer choose another. It is known by its id, so that
 * results that arrive later do not move it.
 */
export function useActiveItem(
  items: readonly PaletteItem[],
  words: string,
  onChoose: (item: PaletteItem) => void,
): ActiveItem {
  const [chosen, setChosen] = useState({ id: '', words });
  const found = items.findIndex(({ id }) => id === chosen.id && chosen.words === words);
  const at = Math.max(0, found);
  const active = items[at];
  const activate = ({ id }: PaletteItem) => setChosen({ id, words });
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter of an input method confirms what it suggests.
    if (!active || event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = step && items[(at + step + items.length) % items.length];
    if (next) activate(next);
    else if (event.key === 'Enter') onChoose(active);
    else return;
    event.preventDefault();
  };
  return { active, onKeyDown, activate };
}
