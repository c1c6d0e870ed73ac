import { Switch } from '@mantine/core';
import { ShortcutsHelp } from '../../components/actions/shortcuts-help.js';
import { useTexts } from '../../texts/texts.js';
import { NotificationSetting } from './notification-setting.js';
import { useSoundEnabled } from '../../live/notification-settings.js';

const KEYS = [
  ['J', 'next'],
  ['K', 'previous'],
  ['R', 'reply'],
  ['T', 'takeOver'],
  ['E', 'close'],
  ['U', 'unread'],
  ['X', 'select'],
  ['/', 'search'],
  ['?', 'help'],
] as const;

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function InboxShortcuts(props: Props) {
  const t = useTexts('inbox').shortcuts;
  const [hasSound, setSound] = useSoundEnabled();
  return (
    <ShortcutsHelp keys={KEYS.map(([key, name]) => [key, t[name]])} {...props}>
      <Switch
        label={t.sound}
        checked={hasSound}
        onChange={({ currentTarget }) => setSound(currentTarget.checked)}
      />
      <NotificationSetting />
    </ShortcutsHelp>
  );
}
