import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Share2 } from 'lucide-react';
import { Loaded } from '#web/console/src/components/states/loaded.jsx';
import { settingsQuery } from '#web/console/src/session/me.js';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { ShareLinks } from './share-links.js';
import { SharingOff } from './sharing-off.js';

/** Links by which people without an account read and hear the call. */
export function ShareCall({ id }: { readonly id: number }) {
  const t = useTexts('callPage').share;
  const settings = useQuery(settingsQuery);
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <Button variant="default" leftSection={<Share2 size={16} />} onClick={dialog.open}>
        {t.action}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={t.action}>
        <Loaded query={settings} lines={2}>
          {({ call_sharing: isOn }) => (isOn ? <ShareLinks id={id} /> : <SharingOff />)}
        </Loaded>
      </Modal>
    </>
  );
}
