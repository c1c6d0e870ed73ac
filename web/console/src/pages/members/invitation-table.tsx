import { ActionIcon, Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { deleteInvitation } from '#client/sdk.gen.js';
import type { InvitationResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { ConfirmDialog } from '../../components/actions/confirm-dialog.js';
import { type Column, DataTable } from '../../components/tables/data-table.js';
import { Panel } from '../../components/page/panel.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import type { Invited } from './invite-dialog.js';

interface Props {
  readonly invitations: readonly InvitationResponse[];
  /** Creates a new link in place of a lost one. */
  readonly onAgain: (invited: Invited) => void;
}

export function InvitationTable({ invitations, onAgain }: Props) {
  const { invitations: t, columns: heads, roles } = useTexts('members');
  const format = useFormat();
  const [cancelling, setCancelling] = useState<InvitationResponse | null>(null);
  const columns: readonly Column<InvitationResponse>[] = [
    { key: 'email', head: heads.email, kind: 'text', cell: ({ email }) => email },
    { key: 'role', head: heads.role, cell: ({ role }) => roles[role] },
    { key: 'until', head: t.until, cell: (invitation) => format.dateTime(invitation.expires_at) },
    {
      key: 'actions',
      head: heads.actions,
      kind: 'number',
      cell: (invitation) => (
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <Button
            variant="default"
            size="xs"
            aria-label={t.againFor(invitation.email)}
            onClick={() => onAgain(invitation)}
          >
            {t.again}
          </Button>
          <ActionIcon aria-label={t.cancel(invitation.email)} onClick={() => setCancelling(invitation)}>
            <X size={16} />
          </ActionIcon>
        </Group>
      ),
    },
  ];
  return (
    <Panel flush title={t.title}>
      <DataTable name={t.title} columns={columns} rows={invitations} keyOf={({ id }) => id} />
      <CancelInvitation invitation={cancelling} onClose={() => setCancelling(null)} />
    </Panel>
  );
}

interface CancelProps {
  readonly invitation: InvitationResponse | null;
  readonly onClose: () => void;
}

function CancelInvitation({ invitation, onClose }: CancelProps) {
  const { invitations: t } = useTexts('members');
  const cancel = useMutation({
    mutationFn: (id: number) => dataOf(deleteInvitation, { path: { id } }),
    meta: { changes: [['members']] },
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      opened={invitation !== null}
      onClose={onClose}
      title={t.cancelTitle}
      action={t.cancelAction}
      mutation={{ ...cancel, mutate: () => invitation && cancel.mutate(invitation.id) }}
    >
      {t.cancelQuestion(invitation?.email ?? '')}
    </ConfirmDialog>
  );
}
