import { ActionIcon, Badge, Group, Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { removeMember, updateMember } from '#client/sdk.gen.js';
import type { MemberResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { ConfirmDialog } from '../../components/actions/confirm-dialog.js';
import { type Column, DataTable } from '../../components/tables/data-table.js';
import { Panel } from '../../components/page/panel.js';
import { rightsQuery } from '../../session/rights.js';
import { useTexts } from '../../texts/texts.js';
import { useErrorText } from '../../texts/use-error-text.js';
import { useFormat } from '../../texts/use-format.js';
import { PasswordLinkDialog } from './password-link-dialog.js';
import { ROLES } from './roles.js';

const KEY = ['members'];

export function MemberTable({ members }: { readonly members: readonly MemberResponse[] }) {
  const t = useTexts('members');
  const format = useFormat();
  const { data: rights } = useQuery(rightsQuery);
  const [removing, setRemoving] = useState<MemberResponse | null>(null);
  const [forgetful, setForgetful] = useState<MemberResponse | null>(null);
  const isSelf = ({ id }: MemberResponse) => id === rights?.member_id;
  const columns: readonly Column<MemberResponse>[] = [
    {
      key: 'name',
      head: t.columns.name,
      kind: 'text',
      cell: (member) => (
        <>
          {member.name} {isSelf(member) && <Badge color="green">{t.you}</Badge>}
        </>
      ),
      sort: ({ name }) => name,
    },
    {
      key: 'email',
      head: t.columns.email,
      kind: 'text',
      cell: ({ email }) => email,
      sort: ({ email }) => email,
    },
    {
      key: 'role',
      head: t.columns.role,
      cell: (member) => (isSelf(member) ? t.roles[member.role] : <RoleSelect member={member} />),
      sort: ({ role }) => t.roles[role],
    },
    {
      key: 'since',
      head: t.columns.since,
      cell: (member) => format.day(member.created_at),
      sort: (member) => member.created_at,
    },
    {
      key: 'actions',
      head: t.columns.actions,
      kind: 'number',
      cell: (member) =>
        !isSelf(member) && (
          <Group gap={4} justify="flex-end" wrap="nowrap">
            <ActionIcon aria-label={t.passwordLink.of(member.name)} onClick={() => setForgetful(member)}>
              <KeyRound size={16} />
            </ActionIcon>
            <ActionIcon aria-label={t.remove(member.name)} onClick={() => setRemoving(member)}>
              <Trash2 size={16} />
            </ActionIcon>
          </Group>
        ),
    },
  ];
  return (
    <Panel flush>
      <DataTable name={t.title} columns={columns} rows={members} keyOf={({ id }) => id} />
      {forgetful && <PasswordLinkDialog member={forgetful} onClose={() => setForgetful(null)} />}
      <RemoveMember member={removing} onClose={() => setRemoving(null)} />
    </Panel>
  );
}

function RoleSelect({ member: { id, name, role } }: { readonly member: MemberResponse }) {
  const t = useTexts('members');
  const errorText = useErrorText();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (next: MemberResponse['role']) =>
      dataOf(updateMember, { path: { id }, body: { role: next } }),
    onSuccess: () => notifications.show({ message: t.changed(name), color: 'green', withCloseButton: false }),
    onError: (error) =>
      notifications.show({ message: errorText(error), color: 'red', withCloseButton: false }),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  return (
    <Select
      size="xs"
      w="9rem"
      aria-label={t.roleOf(name)}
      data={ROLES.map((value) => ({ value, label: t.roles[value] }))}
      value={change.isPending ? change.variables : role}
      allowDeselect={false}
      disabled={change.isPending}
      onChange={(next) => next !== null && change.mutate(next)}
    />
  );
}

interface RemoveProps {
  readonly member: MemberResponse | null;
  readonly onClose: () => void;
}

function RemoveMember({ member, onClose }: RemoveProps) {
  const t = useTexts('members');
  const remove = useMutation({
    mutationFn: (id: number) => dataOf(removeMember, { path: { id } }),
    meta: { changes: [KEY] },
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      opened={member !== null}
      onClose={onClose}
      title={t.removeTitle}
      action={t.removeAction}
      mutation={{ ...remove, mutate: () => member && remove.mutate(member.id) }}
    >
      {t.removeQuestion(member?.name ?? '')}
    </ConfirmDialog>
  );
}
