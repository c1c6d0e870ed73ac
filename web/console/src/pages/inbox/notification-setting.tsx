import { Switch } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../texts/texts.js';
import { useNotificationsEnabled } from '../../live/notification-settings.js';

/** Turns notifications of the browser on. The browser asks for the permission when it is turned on, and not before. */
export function NotificationSetting() {
  const t = useTexts('inbox').shortcuts;
  const [isEnabled, setEnabled] = useNotificationsEnabled();
  const isSupported = 'Notification' in window;
  const [permission, setPermission] = useState(isSupported ? Notification.permission : 'denied');
  const change = async (isWanted: boolean) => {
    if (!isWanted) return setEnabled(false);
    const answer = await Notification.requestPermission();
    setPermission(answer);
    setEnabled(answer === 'granted');
  };
  const isBlocked = permission === 'denied';
  return (
    <Switch
      label={t.notifications}
      description={isSupported ? isBlocked && t.notificationsBlocked : t.notificationsMissing}
      checked={isEnabled && permission === 'granted'}
      disabled={isBlocked}
      onChange={({ currentTarget }) => void change(currentTarget.checked)}
    />
  );
}
