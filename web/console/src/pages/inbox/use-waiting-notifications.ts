import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { customerName } from '../../components/customer-name.js';
import { showNotification } from '../../live/browser-notification.js';
import { waitingQuery } from '../../shell/use-waiting.js';
import { useTexts } from '../../texts/texts.js';
import { useNotificationsEnabled } from '../../live/notification-settings.js';

/** While the tab is hidden, shows a notification of the browser for each customer who begins to wait, if enabled. */
export function useWaitingNotifications(onOpen: (id: string) => void): void {
  const t = useTexts('inbox');
  const [isEnabled] = useNotificationsEnabled();
  const { data } = useQuery({ ...waitingQuery, enabled: false });
  const known = useRef<ReadonlySet<string> | null>(null);
  const open = useRef(onOpen);
  useEffect(() => {
    open.current = onOpen;
  });
  useEffect(() => {
    if (!data) return;
    const before = known.current;
    known.current = new Set(data.data.map(({ id }) => id));
    // Those of the first answer have waited before the page was opened.
    if (!before || !isEnabled || !document.hidden) return;
    for (const conversation of data.data) {
      if (before.has(conversation.id)) continue;
      const name = customerName(conversation, t.visitor);
      showNotification(t.waitingNotification(name), conversation.id, () => open.current(conversation.id));
    }
  }, [data, isEnabled, t]);
}
