import { Modal, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { updatePhoneNumber } from '#client/sdk.gen.js';
import type { ListedPhoneNumberResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { DialogForm } from '../../forms/dialog-form.js';
import { useTexts } from '../../texts/texts.js';
import { useFieldErrors } from '../../texts/use-error-text.js';

interface Props {
  readonly number: ListedPhoneNumberResponse;
  readonly onClose: () => void;
}

/** Changes the nickname of a number. */
export function NicknameDialog({ number, onClose }: Props) {
  const t = useTexts('numbers');
  const { actions } = useTexts('common');
  const fieldErrors = useFieldErrors();
  const [nickname, setNickname] = useState(number.nickname ?? '');
  const save = useMutation({
    mutationFn: () =>
      dataOf(updatePhoneNumber, {
        path: { id: number.id },
        body: { nickname: nickname.trim() === '' ? null : nickname },
      }),
    meta: { changes: [['phone-numbers']] },
    onSuccess: onClose,
  });
  const { nickname: error } = fieldErrors(save.error);
  return (
    <Modal opened onClose={onClose} title={t.editTitle}>
      <DialogForm submit={actions.save} mutation={save} errors={{ error }} onSubmit={save.mutate}>
        <TextInput
          label={t.nickname}
          description={number.phone_number}
          value={nickname}
          error={error}
          data-autofocus
          onChange={(event) => setNickname(event.currentTarget.value)}
        />
      </DialogForm>
    </Modal>
  );
}
