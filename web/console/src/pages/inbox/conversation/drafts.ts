import { useSyncExternalStore } from 'react';
import { newKey } from '../../../api/new-key.js';

// Kept by the tab, not by a component: an answer can arrive after navigation, and
// a sent message must not come back as a draft.
const draftKey = (id: string) => `prosa.inbox.draft.${id}`;
const sendingKey = (id: string) => `prosa.inbox.sending.${id}`;
const listeners = new Set<() => void>();

/** Unsent replies by conversation. */
export function useDraft(id: string) {
  const text = useSyncExternalStore(subscribe, () => draftOf(id));
  return [text, (changed: string) => keep(id, changed)] as const;
}

/** The `Idempotency-Key` of a message until it is sent or discarded. All attempts use the same key. */
export function keyOf(id: string, message: string): string {
  const tried = JSON.parse(sessionStorage.getItem(sendingKey(id)) ?? '{}') as Partial<
    Record<'message' | 'key', string>
  >;
  if (tried.message === message && tried.key !== undefined) return tried.key;
  const key = newKey();
  sessionStorage.setItem(sendingKey(id), JSON.stringify({ message, key }));
  return key;
}

/** Removes the sent text from the draft and keeps what was typed while it was sent. */
export function forgetSent(id: string, sent: string): void {
  sessionStorage.removeItem(sendingKey(id));
  const words = draftOf(id).trimStart();
  if (words.startsWith(sent)) keep(id, words.slice(sent.length).trimStart());
}

function draftOf(id: string): string {
  return sessionStorage.getItem(draftKey(id)) ?? '';
}

function keep(id: string, text: string): void {
  if (text !== '') sessionStorage.setItem(draftKey(id), text);
  else for (const key of [draftKey(id), sendingKey(id)]) sessionStorage.removeItem(key);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
