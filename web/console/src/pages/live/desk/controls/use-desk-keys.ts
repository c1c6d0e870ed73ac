import { type PageKeys, usePageKeys } from '#web/console/src/components/actions/shortcuts.js';

interface DeskKeys {
  readonly whisper: () => void;
  readonly takeOver: () => void;
  readonly handBack: () => void;
  readonly mute: () => void;
  readonly isHolding: boolean;
  readonly isActive: boolean;
}

/** Shortcuts: W whispers and T takes over; then B hands back and M mutes. Inactive while typing. */
export function useDeskKeys({ whisper, takeOver, handBack, mute, isHolding, isActive }: DeskKeys): void {
  const keys: PageKeys = isHolding
    ? [
        ['b', handBack],
        ['m', mute],
      ]
    : [
        ['w', whisper],
        ['t', takeOver],
      ];
  usePageKeys(isActive ? keys : []);
}
