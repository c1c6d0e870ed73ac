import { Modal, Select, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { inviteMember } from '#client/sdk.gen.js';
import type { CreatedInvitationResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { keptOpen, OneTimeSecret } from '../../components/actions/one-time-secret.js';
import { DialogForm } from '../../forms/dialog-form.js';
import { useTexts } from '../../texts/texts.js';
import { useErrorText, useFieldErrors } from '../../texts/use-error-text.js';
import { type Role, ROLES } from './roles.js';

export interface Invited {
  readonly email: string;
  readonly role: Role;
}

interface Props {
  /** Email of an invitation that gets a new link. */
  readonly known: Partial<Invited>;
  readonly onClose: () => void;
}

/** Creates an invitation and shows its link once. */
export function InviteDialog({ known, onClose }: Props) {
  const t = useTexts('members').dialog;
  const { invite } = useTexts('members');
  const [made, setMade] = useState<CreatedInvitationResponse | null>(null);
  return (
    <Modal
      opened
      onClose={onClose}
      {...keptOpen(made !== null && !made.emailed)}
      title={made === null ? invite : t.made}
    >
      {made === null ? (
        <InviteForm known={known} onInvited={setMade} onCancel={onClose} />
      ) : (
        <OneTimeSecret
          value={`${globalThis.location.origin}/app/join#${made.token}`}
          text={made.emailed ? t.emailed(made.email) : t.copy}
          isOptional={made.emailed}
          done={t.done}
          onDone={onClose}
        />
      )}
    </Modal>
  );
}

interface FormProps {
  readonly known: Partial<Invited>;
  readonly onInvited: (made: CreatedInvitationResponse) => void;
  readonly onCancel: () => void;
}

function InviteForm({ known, onInvited, onCancel }: FormProps) {
  const { dialog: t, roles, rolesText } = useTexts('members');
  const errorText = useErrorText();
  const fieldErrors = useFieldErrors();
  const queries = useQueryClient();
  const [email, setEmail] = useState(known.email ?? '');
  const [role, setRole] = useState<Role>(known.role ?? 'operator');
  const invite = useMutation({
    mutationFn: () => dataOf(inviteMember, { body: { email: email.trim(), role } }),
    onSuccess: ({ data }) => {
      onInvited(data);
      return queries.invalidateQueries({ queryKey: ['members'] });
    },
  });
  const error = invite.error && (fieldErrors(invite.error).email ?? errorText(invite.error));
  return (
    <DialogForm
      submit={t.submit}
      onCancel={onCancel}
      mutation={invite}
      errors={{ error }}
      onSubmit={invite.mutate}
    >
      <TextInput
        type="email"
        label={t.email}
        placeholder={t.emailPlaceholder}
        value={email}
        maxLength={255}
        autoComplete="off"
        required
        withAsterisk={false}
        data-autofocus
        error={error}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <Select
        label={t.role}
        description={rolesText[role]}
        data={ROLES.map((value) => ({ value, label: roles[value] }))}
        value={role}
        allowDeselect={false}
        onChange={(next) => next !== null && setRole(next)}
      />
    </DialogForm>
  );
}
