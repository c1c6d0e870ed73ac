import { useEffect, useRef } from 'react';
import { showNotification } from '../../live/browser-notification.js';
import { useNotificationsEnabled, useSoundEnabled } from '../../live/notification-settings.js';
import { playTwoTones } from '../../live/two-tones.js';
import { useTexts } from '../../texts/texts.js';
import type { Offer } from './offers-query.js';

/** For each new offer two tones, and a notification of the browser while the tab is hidden; each if enabled in the inbox. */
export function useOfferNotifications(offers: readonly Offer[]): void {
  const t = useTexts('offers');
  const [isNotified] = useNotificationsEnabled();
  const [isHeard] = useSoundEnabled();
  const known = useRef<ReadonlySet<number>>(new Set());
  useEffect(() => {
    const fresh = offers.filter(({ id }) => !known.current.has(id));
    known.current = new Set(offers.map(({ id }) => id));
    if (fresh.length > 0 && isHeard) playTwoTones();
    if (!isNotified || !document.hidden) return;
    for (const { id, customer_phone: phone, briefing } of fresh)
      showNotification(t.from(phone ?? t.visitor), `offer ${id}`, () => undefined, briefing);
  }, [offers, isNotified, isHeard, t]);
}
