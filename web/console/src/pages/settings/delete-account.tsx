import { Button, Modal, PasswordInput, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { deleteAccount } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import { Panel } from '../../components/page/panel.js';
import { DialogForm } from '../../forms/dialog-form.js';
import { meQuery } from '../../session/me.js';
import { useTexts } from '../../texts/texts.js';
import { useFieldErrors } from '../../texts/use-error-text.js';

/** Deletes the account after its email and a password were entered. */
export function DeleteAccount() {
  const t = useTexts('settings').deleteAccount;
  const [isAsking, asking] = useDisclosure(false);
  return (
    <Panel title={t.title} subtitle={t.text}>
      <Button
        color="red"
        variant="light"
        leftSection={<Trash2 size={16} aria-hidden="true" />}
        onClick={asking.open}
      >
        {t.begin}
      </Button>
      {isAsking && <ConfirmDeletion onClose={asking.close} />}
    </Panel>
  );
}

function ConfirmDeletion({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('settings').deleteAccount;
  const { data: me } = useQuery(meQuery);
  const fieldErrors = useFieldErrors();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const remove = useDelete();
  const refused = fieldErrors(remove.error);
  return (
    <Modal opened onClose={onClose} title={t.question}>
      <DialogForm
        submit={t.confirm}
        color="red"
        isDisabled={email.trim() === ''}
        onCancel={onClose}
        mutation={remove}
        errors={refused}
        onSubmit={() => remove.mutate({ email: email.trim(), ...(password === '' ? {} : { password }) })}
      >
        <Text size="sm">{t.lost}</Text>
        <TextInput
          type="email"
          label={t.email}
          description={me && t.emailText(me.email)}
          autoComplete="off"
          required
          withAsterisk={false}
          data-autofocus
          value={email}
          error={refused.email && t.otherEmail}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <PasswordInput
          label={t.password}
          description={t.passwordText}
          autoComplete="current-password"
          value={password}
          error={refused.password && t.wrongPassword}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
      </DialogForm>
    </Modal>
  );
}

function useDelete() {
  const t = useTexts('settings').deleteAccount;
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: { readonly email: string; readonly password?: string }) =>
      dataOf(deleteAccount, { body }),
    onSuccess: async () => {
      await navigate({ to: '/sign-in' });
      queries.clear();
      // The page has been left, so the notification stays until it is closed.
      notifications.show({ message: t.done, color: 'green', autoClose: false });
    },
  });
}
