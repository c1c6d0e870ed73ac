import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../../texts/texts.js';
import { customerOf, type LiveCall } from '../live-calls.js';

/** What a screen reader says when another caller begins to wait. Callers who wait when the page opens are in the list. */
export function useAnnouncement(calls: readonly LiveCall[] | undefined): string {
  const t = useTexts('live');
  const { web } = useTexts('calls');
  const before = useRef<ReadonlySet<number> | null>(null);
  const [text, setText] = useState('');
  useEffect(() => {
    if (!calls) return;
    const waiting = calls.filter(({ live }) => live.waiting !== null);
    const known = before.current;
    before.current = new Set(waiting.map(({ id }) => id));
    const added = waiting.findLast(({ id }) => known !== null && !known.has(id));
    if (added) setText(t.joined(customerOf(added, web), waiting.length));
    // The same words a second time would not be read.
    else if (waiting.length === 0) setText('');
  }, [calls, t, web]);
  return text;
}
