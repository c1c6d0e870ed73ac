import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type PropsWithChildren, useContext, useEffect, useRef, useState } from 'react';
import { type HintListener, type LiveHint, listenToHints } from '../../../shared/live-hints.js';

/** Which queries a hint makes old, by the first word of their key. */
const STALE: Readonly<Record<string, readonly string[]>> = {
  conversation: ['conversations'],
  call: ['calls'],
};

const ListenersContext = createContext<Set<HintListener> | null>(null);

/** Listens while somebody is signed in, and has what a hint names read anew. */
export function LiveHintsProvider({ children }: PropsWithChildren) {
  const queries = useQueryClient();
  const [listeners] = useState(() => new Set<HintListener>());
  useEffect(
    () =>
      listenToHints((hint) => {
        refresh(queries, hint);
        for (const listener of listeners) listener(hint);
      }),
    [queries, listeners],
  );
  return <ListenersContext value={listeners}>{children}</ListenersContext>;
}

/** Calls back at hints of one type, for what is more than reading anew: `useHint('typing', ({ ids }) => …)`. */
export function useHint(type: LiveHint['type'], act: HintListener): void {
  const listeners = useContext(ListenersContext);
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const listener: HintListener = (hint) => hint.type === type && latest.current(hint);
    listeners?.add(listener);
    return () => void listeners?.delete(listener);
  }, [listeners, type]);
}

function refresh(queries: QueryClient, { type }: LiveHint): void {
  if (type === 'resync') void queries.invalidateQueries();
  for (const key of STALE[type] ?? []) void queries.invalidateQueries({ queryKey: [key] });
}
