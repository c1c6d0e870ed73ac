import { useLocalStorage } from '@mantine/hooks';

/** Single-key shortcuts can be disabled: they conflict with dictation and other assistive tools. */
export function useShortcutsEnabled() {
  return useLocalStorage({ key: 'prosa.inbox.shortcuts', defaultValue: true });
}
