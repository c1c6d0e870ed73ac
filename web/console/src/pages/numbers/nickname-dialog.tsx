import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { updatePhoneNumber } from '#client/sdk.gen.js';
import type { ListedPhoneNumberResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { Problem } from '../../components/states/problem.js';
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
  const queries = useQueryClient();
  const fieldErrors = useFieldErrors();
  const [nickname, setNickname] = useState(number.nickname ?? '');
  const save = useMutation({
    mutationFn: () =>
      dataOf(updatePhoneNumber, {
        path: { id: number.id },
        body: { nickname: nickname.trim() === '' ? null : nickname },
      }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['phone-numbers'] });
      onClose();
    },
  });
  const error = fieldErrors(save.error).nickname;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t.editTitle}>
      <form onSubmit={submit}>
        <TextInput
          label={t.nickname}
          description={number.phone_number}
          value={nickname}
          error={error}
          data-autofocus
          onChange={(event) => setNickname(event.currentTarget.value)}
        />
        {save.error && !error && <Problem error={save.error} />}
        <Group justify="flex-end" mt="lg">
          <Button type="submit" loading={save.isPending}>
            {actions.save}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
