import '@mantine/core/styles/Switch.layer.css';
import { Kbd, Modal, Stack, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts.js';
import classes from './shortcuts-help.module.css';
import { useShortcutsEnabled } from './shortcuts.js';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Each key, and what it does. */
  readonly keys: readonly (readonly [key: string, action: string])[];
  /** Further settings. */
  readonly children?: ReactNode;
}

/** The shortcuts of a page, and whether they are on. */
export function ShortcutsHelp({ opened, onClose, keys, children }: Props) {
  const { shortcuts } = useTexts('common');
  const [isEnabled, setEnabled] = useShortcutsEnabled();
  return (
    <Modal opened={opened} onClose={onClose} title={shortcuts.title}>
      <dl className={classes.keys}>
        {keys.map(([key, action]) => (
          <div key={key}>
            <dt>{action}</dt>
            <dd>
              <Kbd>{key}</Kbd>
            </dd>
          </div>
        ))}
      </dl>
      <Stack gap="sm">
        <Switch
          label={shortcuts.enabled}
          checked={isEnabled}
          onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
        />
        {children}
      </Stack>
    </Modal>
  );
}
