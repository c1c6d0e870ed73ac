import { ActionIcon, Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { deleteInvitation } from '#client/sdk.gen.js';
import type { InvitationResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { Confirm } from '../../components/actions/confirm.js';
import table from '../../components/tables/data-table.module.css';
import { Panel } from '../../components/page/panel.js';
import { TableScroll } from '../../components/tables/table-scroll.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import type { Invited } from './invite-dialog.js';

interface Props {
  readonly invitations: readonly InvitationResponse[];
  /** Creates a new link in place of a lost one. */
  readonly onAgain: (invited: Invited) => void;
}

export function InvitationTable({ invitations, onAgain }: Props) {
  const { invitations: t, columns, roles } = useTexts('members');
  const format = useFormat();
  const [cancelling, setCancelling] = useState<InvitationResponse | null>(null);
  return (
    <Panel flush title={t.title}>
      <TableScroll name={t.title}>
        <table className={table.table} data-cards>
          <thead>
            <tr>
              <th scope="col">{columns.email}</th>
              <th scope="col">{columns.role}</th>
              <th scope="col">{t.until}</th>
              <th scope="col" className={table.number}>
                {columns.actions}
              </th>
            </tr>
          </thead>
          <tbody>
            {invitations.map((invitation) => (
              <tr key={invitation.id}>
                <td className={table.wrap}>{invitation.email}</td>
                <td>{roles[invitation.role]}</td>
                <td>{format.dateTime(invitation.expires_at)}</td>
                <td className={table.number}>
                  <Group gap={4} justify="flex-end" wrap="nowrap">
                    <Button
                      variant="default"
                      size="xs"
                      aria-label={t.againFor(invitation.email)}
                      onClick={() => onAgain(invitation)}
                    >
                      {t.again}
                    </Button>
                    <ActionIcon
                      aria-label={t.cancel(invitation.email)}
                      onClick={() => setCancelling(invitation)}
                    >
                      <X size={16} />
                    </ActionIcon>
                  </Group>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
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
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: (id: number) => dataOf(deleteInvitation({ path: { id }, throwOnError: true })),
    onSuccess: () => {
      onClose();
      return queries.invalidateQueries({ queryKey: ['members'] });
    },
  });
  return (
    <Confirm
      opened={invitation !== null}
      title={t.cancelTitle}
      question={t.cancelQuestion(invitation?.email ?? '')}
      action={t.cancelAction}
      isBusy={cancel.isPending}
      error={cancel.error}
      onConfirm={() => invitation && cancel.mutate(invitation.id)}
      onClose={onClose}
    />
  );
}
