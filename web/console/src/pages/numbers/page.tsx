import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Hash, Plus } from 'lucide-react';
import { useState } from 'react';
import { phoneNumbersQuery } from '../../catalog/queries.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { ListPage } from '../../components/page/list-page.js';
import { Panel } from '../../components/page/panel.js';
import { useTexts } from '../../texts/texts.js';
import { AdoptDialog } from './adopt-dialog.js';
import { DeleteNumber } from './delete-number.js';
import { NicknameDialog } from './nickname-dialog.js';
import { type NumberDialog, NumbersTable } from './numbers-table.js';
import { RentDialog } from './rent-dialog.js';
import { TrunkDialog } from './trunk-dialog.js';
import { TwilioDialog } from './twilio-dialog.js';
import { VerifyDialog } from './verify-dialog.js';

/** The open dialog. */
type Dialog = { readonly kind: 'rent' | 'new-trunk' | 'twilio' | 'adopt' | 'verify' } | NumberDialog;

const route = getRouteApi('/shell/numbers');

export function NumbersPage() {
  const t = useTexts('numbers');
  const numbers = useQuery(phoneNumbersQuery);
  const { rent = false } = route.useSearch();
  const navigate = route.useNavigate();
  const [dialog, setDialog] = useState<Dialog | null>(rent ? { kind: 'rent' } : null);
  const close = () => {
    setDialog(null);
    if (rent) void navigate({ search: ({ sort }) => ({ ...(sort && { sort }) }), replace: true });
  };
  const actions = (
    <IfAllowed scope="admin">
      <Button variant="default" onClick={() => setDialog({ kind: 'twilio' })}>
        {t.twilio.open}
      </Button>
      <Button variant="default" onClick={() => setDialog({ kind: 'verify' })}>
        {t.verify.open}
      </Button>
      <Button variant="default" onClick={() => setDialog({ kind: 'new-trunk' })}>
        {t.addTrunk}
      </Button>
      <Button leftSection={<Plus size={16} />} onClick={() => setDialog({ kind: 'rent' })}>
        {t.buy}
      </Button>
    </IfAllowed>
  );
  return (
    <>
      <ListPage texts={t} icon={Hash} query={numbers} actions={actions}>
        {(all) => (
          <Panel flush>
            <NumbersTable numbers={all} onOpen={setDialog} />
          </Panel>
        )}
      </ListPage>
      {dialog && <Open dialog={dialog} onOpen={setDialog} onClose={close} />}
    </>
  );
}

interface OpenProps {
  readonly dialog: Dialog;
  readonly onOpen: (dialog: Dialog) => void;
  readonly onClose: () => void;
}

function Open({ dialog, onOpen, onClose }: OpenProps) {
  switch (dialog.kind) {
    case 'rent':
      return <RentDialog onClose={onClose} />;
    case 'twilio':
      return <TwilioDialog onAdopt={() => onOpen({ kind: 'adopt' })} onClose={onClose} />;
    case 'adopt':
      return <AdoptDialog onClose={onClose} />;
    case 'new-trunk':
      return <TrunkDialog id={null} onClose={onClose} />;
    case 'trunk':
      return <TrunkDialog id={dialog.number.id} onClose={onClose} />;
    case 'edit':
      return <NicknameDialog number={dialog.number} onClose={onClose} />;
    case 'verify':
      return <VerifyDialog number={null} onClose={onClose} />;
    case 'verify-number':
      return <VerifyDialog number={dialog.number.phone_number} onClose={onClose} />;
    case 'delete':
      return <DeleteNumber number={dialog.number} onClose={onClose} />;
  }
}
