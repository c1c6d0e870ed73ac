import { useSyncExternalStore } from 'react';

let isExpired = false;
const listeners = new Set<() => void>();

/** Records that the session has expired or was renewed. */
export function setExpired(value: boolean): void {
  isExpired = value;
  for (const listener of listeners) listener();
}

export function useExpired(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isExpired,
  );
}
