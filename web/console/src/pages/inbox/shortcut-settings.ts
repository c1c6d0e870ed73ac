import { useLocalStorage } from '@mantine/hooks';

/** Keys without Ctrl: whoever dictates or uses other tools of access can switch them off. */
export function useShortcutsEnabled() {
  return useLocalStorage({ key: 'prosa.inbox.shortcuts', defaultValue: true });
}

export function useSoundEnabled() {
  return useLocalStorage({ key: 'prosa.inbox.sound', defaultValue: false });
}
