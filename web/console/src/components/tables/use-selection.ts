import { useRef, useState } from 'react';

export type Key = string | number;

/** Rows that people have chosen. Only of those that are shown. */
export interface Selection<Id extends Key = Key> {
  readonly ids: readonly Id[];
  /** Rows that can be selected. */
  readonly of: readonly Id[];
  readonly has: (id: Key) => boolean;
  /** @param isRange also all rows between it and the one before */
  readonly toggle: (id: Key, isRange?: boolean) => void;
  /** Selects all, or none when all are selected. */
  readonly toggleAll: () => void;
  readonly only: (ids: readonly Key[]) => void;
}

/** @param of ids of the rows, in the order in which they are shown */
export function useSelection<Id extends Key>(of: readonly Id[]): Selection<Id> {
  const [chosen, setChosen] = useState<ReadonlySet<Key>>(new Set());
  const anchor = useRef<Key | null>(null);
  const ids = of.filter((id) => chosen.has(id));
  const toggle = (id: Key, isRange = false) => {
    const isOn = !chosen.has(id);
    const [from, to] = [
      isRange ? of.findIndex((one) => one === anchor.current) : -1,
      of.findIndex((one) => one === id),
    ];
    const range = from === -1 ? [id] : of.slice(Math.min(from, to), Math.max(from, to) + 1);
    // A range has the state of the row that was clicked first.
    const isAdded = from === -1 ? isOn : chosen.has(anchor.current ?? id);
    const next = new Set<Key>(ids);
    for (const one of range) {
      if (isAdded) next.add(one);
      else next.delete(one);
    }
    if (!isRange || from === -1) anchor.current = id;
    setChosen(next);
  };
  return {
    ids,
    of,
    has: (id) => chosen.has(id),
    toggle,
    toggleAll: () => setChosen(new Set(ids.length === of.length ? [] : of)),
    only: (kept) => setChosen(new Set(kept)),
  };
}
