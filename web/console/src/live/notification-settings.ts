import { useLocalStorage } from '@mantine/hooks';

export function useSoundEnabled() {
  return useLocalStorage({ key: 'prosa.inbox.sound', defaultValue: false });
}

/** Needs the permission of the browser as well. */
export function useNotificationsEnabled() {
  return useLocalStorage({ key: 'prosa.inbox.notifications', defaultValue: false });
}
