import { useEffect, useRef } from 'react';
import { useBadge } from '../../components/page/title-badge.js';
import { playTwoTones } from '../../live/two-tones.js';
import { useSoundEnabled } from '../../live/notification-settings.js';

/** Plays two short tones when another conversation starts to wait, if enabled. */
export function useWaitingSound(): void {
  const waiting = useBadge();
  const [isEnabled] = useSoundEnabled();
  const before = useRef(waiting);
  useEffect(() => {
    if (isEnabled && waiting > before.current) playTwoTones();
    before.current = waiting;
  }, [isEnabled, waiting]);
}
