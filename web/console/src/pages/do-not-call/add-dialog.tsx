import { Modal, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addDoNotCall } from '#client/sdk.gen.js';
import { ApiError } from '../../api/api-error.js';
import { dataOf } from '../../api/client.js';
import { DialogForm } from '../../forms/dialog-form.js';
import { useTexts } from '../../texts/texts.js';

/** Each number is a request. */
const MOST = 50;

/** Adds numbers, one a line. Those that the server refuses stay in the form. */
export function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('doNotCall');
  const [numbers, setNumbers] = useState('');
  const [reason, setReason] = useState('');
  const [refused, setRefused] = useState(0);
  const queries = useQueryClient();
  const given = [...new Set(numbers.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
  const add = useMutation({
    mutationFn: () => addAll(given, reason.trim()),
    onSuccess: (left) => {
      const added = given.length - left.length;
      if (added > 0) notifications.show({ message: t.added(added) });
      setRefused(left.length);
      setNumbers(left.join('\n'));
      if (left.length === 0) onClose();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['do-not-call'] }),
  });
  const isTooMany = given.length > MOST;
  const submit = () => {
    if (!isTooMany && given.length > 0) add.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t.add}>
      <DialogForm
        submit={t.dialog.submit}
        isDisabled={isTooMany}
        onCancel={onClose}
        mutation={add}
        onSubmit={submit}
      >
        <Textarea
          label={t.dialog.numbers}
          description={t.dialog.numbersHint(MOST)}
          placeholder="+55 11 99876-5432"
          value={numbers}
          autosize
          minRows={4}
          maxRows={12}
          maxLength={4_000}
          required
          withAsterisk={false}
          data-autofocus
          error={isTooMany ? t.dialog.tooMany(MOST) : refused > 0 && t.dialog.failed(refused)}
          onChange={({ currentTarget }) => {
            setRefused(0);
            setNumbers(currentTarget.value);
          }}
        />
        <TextInput
          label={t.dialog.reason}
          description={t.dialog.reasonHint}
          value={reason}
          maxLength={255}
          autoComplete="off"
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </DialogForm>
    </Modal>
  );
}

/** Returns the numbers that the server refuses as invalid. Adding a number again succeeds, so any other failure can be repeated. */
async function addAll(numbers: readonly string[], reason: string): Promise<string[]> {
  const refused: string[] = [];
  for (const phone_number of numbers) {
    try {
      await dataOf(addDoNotCall, { body: { phone_number, ...(reason && { reason }) } });
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 422)) throw error;
      refused.push(phone_number);
    }
  }
  return refused;
}
