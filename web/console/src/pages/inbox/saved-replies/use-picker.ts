import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import type { SavedReplyResponse } from '#client/types.gen.js';
import { savedRepliesQuery } from './queries.js';

/** A slash and the beginning of a shortcut, and nothing else. */
const ASKS = /^\/([\p{L}\p{N}-]{0,40})$/u;

/** The id of an option, which the composer names as its active one. */
export const optionId = (list: string, { id }: SavedReplyResponse) => `${list}-${id}`;

/** Saved replies that the text of the composer asks for, and the keys that choose one. */
export function usePicker(text: string, onPick: (reply: SavedReplyResponse) => void) {
  const [dismissed, setDismissed] = useState('');
  const [marked, setMarked] = useState({ text: '', at: 0 });
  const asked = ASKS.exec(text)?.[1];
  const isOpen = asked !== undefined && dismissed !== text;
  const { data: all, isLoading } = useQuery({ ...savedRepliesQuery, enabled: isOpen });
  const found = isOpen && all ? matching(all, asked) : [];
  const at = marked.text === text ? Math.min(marked.at, Math.max(0, found.length - 1)) : 0;
  const step = (by: number) => setMarked({ text, at: (at + by + found.length) % found.length });
  /** Whether the key was one of the list. */
  const pressed = (event: KeyboardEvent): boolean => {
    const reply = found[at];
    if (!isOpen || event.nativeEvent.isComposing || event.shiftKey) return false;
    if (event.key === 'Escape') setDismissed(text);
    else if (reply && event.key === 'ArrowDown') step(1);
    else if (reply && event.key === 'ArrowUp') step(-1);
    else if (reply && (event.key === 'Enter' || event.key === 'Tab')) onPick(reply);
    // Before the list has loaded, Enter must not send the shortcut to the customer.
    else if (!isLoading || event.key !== 'Enter') return false;
    event.preventDefault();
    return true;
  };
  return { isOpen: isOpen && all !== undefined, found, at, pressed };
}

/** Those whose shortcut begins with the word first, then those that have it in their shortcut or text. */
function matching(all: readonly SavedReplyResponse[], asked: string): SavedReplyResponse[] {
  const word = asked.toLowerCase();
  const begins = all.filter(({ shortcut }) => shortcut.startsWith(word));
  const has = all.filter(
    ({ shortcut, text }) => !shortcut.startsWith(word) && `${shortcut} ${text.toLowerCase()}`.includes(word),
  );
  return [...begins, ...has];
}
