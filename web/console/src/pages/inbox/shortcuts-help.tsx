import '@mantine/core/styles/Switch.layer.css';
import { Kbd, Modal, Stack, Switch } from '@mantine/core';
import { useTexts } from '../../texts/texts.js';
import classes from './inbox.module.css';
import { useShortcutsEnabled, useSoundEnabled } from './shortcut-settings.js';

const KEYS = [
  ['J', 'next'],
  ['K', 'previous'],
  ['R', 'reply'],
  ['T', 'takeOver'],
  ['E', 'close'],
  ['U', 'unread'],
  ['/', 'search'],
  ['?', 'help'],
] as const;

export function ShortcutsHelp({
  opened,
  onClose,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
}) {
  const t = useTexts('inbox');
  const { actions } = useTexts('common');
  const [isEnabled, setEnabled] = useShortcutsEnabled();
  const [hasSound, setSound] = useSoundEnabled();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t.shortcuts.title}
      closeButtonProps={{ 'aria-label': actions.close }}
    >
      <dl className={classes.keys}>
        {KEYS.map(([key, name]) => (
          <div key={key}>
            <dt>{t.shortcuts[name]}</dt>
            <dd>
              <Kbd>{key}</Kbd>
            </dd>
          </div>
        ))}
      </dl>
      <Stack gap="sm">
        <Switch
          label={t.shortcuts.enabled}
          checked={isEnabled}
          onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
        />
        <Switch
          label={t.shortcuts.sound}
          checked={hasSound}
          onChange={({ currentTarget }) => setSound(currentTarget.checked)}
        />
      </Stack>
    </Modal>
  );
}
