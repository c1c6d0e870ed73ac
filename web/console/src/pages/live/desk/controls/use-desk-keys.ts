import { useHotkeys } from '@mantine/hooks';
import { useShortcutsEnabled } from '#web/console/src/components/actions/shortcuts.js';

interface DeskKeys {
  readonly whisper: () => void;
  readonly takeOver: () => void;
  readonly handBack: () => void;
  readonly mute: () => void;
  readonly isHolding: boolean;
  /** Nothing happens otherwise, as while a question is open. */
  readonly isActive: boolean;
}

/** Shortcuts: W whispers and T takes over; then B hands back and M mutes. Inactive while typing. */
export function useDeskKeys({ whisper, takeOver, handBack, mute, isHolding, isActive }: DeskKeys): void {
  const [isEnabled] = useShortcutsEnabled();
  const keys: Parameters<typeof useHotkeys>[0] = isHolding
    ? [
        ['b', handBack],
        ['m', mute],
      ]
    : [
        ['w', whisper],
        ['t', takeOver],
      ];
  useHotkeys(isEnabled && isActive ? keys : []);
}
