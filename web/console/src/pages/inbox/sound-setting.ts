import { useLocalStorage } from '@mantine/hooks';

export function useSoundEnabled() {
  return useLocalStorage({ key: 'prosa.inbox.sound', defaultValue: false });
}
