import type { LucideIcon } from 'lucide-react';
import type { palettePt } from './palette.pt.js';

/** As many as a group shows. */
export const MOST_ITEMS = 5;

export interface PaletteItem {
  /** Unique among all items. */
  readonly id: string;
  readonly icon: LucideIcon;
  readonly label: string;
  /** What tells items of the same name apart. */
  readonly detail: string;
  readonly open: () => unknown;
}

export interface PaletteGroup {
  readonly name: keyof (typeof palettePt)['groups'];
  readonly items: readonly PaletteItem[];
  readonly isLoading: boolean;
  readonly isFailed: boolean;
}

/** Tells whether a text has all of the words, without regard to case and accents. */
export function matcherOf(words: string): (text: string) => boolean {
  const wanted = plain(words).split(/\s+/);
  return (text) => {
    const found = plain(text);
    return wanted.every((word) => found.includes(word));
  };
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
