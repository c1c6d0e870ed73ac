import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createContext, type PropsWithChildren, useContext, useEffect, useRef, useState } from 'react';
import { type HintListener, type LiveHint, listenToHints } from '../../../shared/live-hints.js';
import { useExpired } from '../session/expiry.js';
import { Paced } from './paced.js';

/** Which queries a hint makes old, by the first word of their key. */
const STALE: Readonly<Record<string, readonly string[]>> = {
  conversation: ['conversations'],
  call: ['calls'],
  'transfer-offer': ['transfer-offers'],
};

/** Calls and chats can change many times a second. A refetch for each change would cancel the one that still runs. */
const LEAST_APART_MS = 1_000;

const ListenersContext = createContext<Set<HintListener> | null>(null);
const BrokenContext = createContext(false);

/** Listens while a person is signed in, and refetches what a hint names. */
export function LiveHintsProvider({ children }: PropsWithChildren) {
  const queries = useQueryClient();
  const [listeners] = useState(() => new Set<HintListener>());
  const [isBroken, setBroken] = useState(false);
  const isExpired = useExpired();
  const isFirst = useRef(true);
  useEffect(() => {
    // Without a session there is no stream; with the next one it begins at once.
    if (isExpired) return undefined;
    let isBeginning = isFirst.current;
    isFirst.current = false;
    const paced = new Map(
      Object.keys(STALE).map((type) => [
        type,
        new Paced(LEAST_APART_MS, () => refresh(queries, { type, ids: [] })),
      ]),
    );
    const stop = listenToHints((hint) => {
      if (hint.type === 'broken' || hint.type === 'open') setBroken(hint.type === 'broken');
      if (isBeginning && hint.type === 'resync') refreshLive(queries);
      else if (hint.type === 'resync') refresh(queries, hint);
      else paced.get(hint.type)?.run();
      if (hint.type === 'broken' || hint.type === 'resync') isBeginning = false;
      for (const listener of listeners) listener(hint);
    });
    return () => {
      stop();
      for (const each of paced.values()) each.stop();
      setBroken(false);
    };
  }, [queries, listeners, isExpired]);
  return (
    <ListenersContext value={listeners}>
      <BrokenContext value={isBroken}>{children}</BrokenContext>
    </ListenersContext>
  );
}

/** Whether the server does not say what changes: it is away, or the connection to it. */
export function useIsBroken(): boolean {
  return useContext(BrokenContext);
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

/**
 * Refetches the data that hints are about, when the stream of a new page opens: hints between the page's request and the
 * stream are lost. Other data is fresh.
 */
function refreshLive(queries: QueryClient): void {
  for (const type of Object.keys(STALE)) refresh(queries, { type, ids: [] });
}

function refresh(queries: QueryClient, { type }: LiveHint): void {
  if (type === 'resync') void queries.invalidateQueries();
  for (const key of STALE[type] ?? []) void queries.invalidateQueries({ queryKey: [key] });
}
