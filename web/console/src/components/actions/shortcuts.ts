import { useHotkeys, useLocalStorage } from '@mantine/hooks';
import { isDialogOpen } from './open-dialog.js';

export type PageKeys = readonly (readonly [key: string, act: () => void])[];

/** Single-key shortcuts can be disabled: they conflict with dictation and other assistive tools. */
export function useShortcutsEnabled() {
  return useLocalStorage({ key: 'prosa.inbox.shortcuts', defaultValue: true });
}

/** Single-key shortcuts of a page. Inactive while typing, and while a dialog covers what they would change. */
export function usePageKeys(keys: PageKeys): void {
  const [isEnabled] = useShortcutsEnabled();
  const guarded = keys.map(([key, act]): [string, () => void] => [
    key,
    () => {
      if (!isDialogOpen()) act();
    },
  ]);
  useHotkeys(isEnabled ? guarded : []);
}
