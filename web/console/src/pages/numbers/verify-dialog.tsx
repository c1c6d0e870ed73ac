import { Modal, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getNumberVerification, requestNumberVerification } from '#client/sdk.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import { Loaded } from '../../components/states/loaded.js';
import { DialogForm } from '../../forms/dialog-form.js';
import { useTexts } from '../../texts/texts.js';
import { useFieldErrors } from '../../texts/use-error-text.js';
import { VerificationStep } from './verification-step.js';

/** Poll interval of the verification. */
const LOOK_MS = 1_500;

interface Props {
  /** Null: the person types the number. */
  readonly number: string | null;
  readonly onClose: () => void;
}

/** Verifies a number by a call that speaks a code. */
export function VerifyDialog({ number, onClose }: Props) {
  const { verify: t } = useTexts('numbers');
  const [id, setId] = useState<number | null>(null);
  return (
    <Modal opened onClose={onClose} title={t.title}>
      {id === null ? (
        <AskForm number={number} onAsked={setId} />
      ) : (
        <Asked id={id} onAgain={() => setId(null)} onClose={onClose} />
      )}
    </Modal>
  );
}

function AskForm({ number, onAsked }: Pick<Props, 'number'> & { readonly onAsked: (id: number) => void }) {
  const { verify: t } = useTexts('numbers');
  const fieldErrors = useFieldErrors();
  const [typed, setTyped] = useState(number ?? '');
  const ask = useMutation({
    mutationFn: () => dataOf(requestNumberVerification, { body: { phone_number: typed.trim() } }),
    onSuccess: ({ data }) => onAsked(data.id),
  });
  const { phone_number: error } = fieldErrors(ask.error);
  return (
    <DialogForm submit={t.call} mutation={ask} errors={{ error }} onSubmit={ask.mutate}>
      <Dimmed>{t.text}</Dimmed>
      <TextInput
        label={t.number}
        placeholder="+5511998765432"
        inputMode="tel"
        autoComplete="tel"
        required
        value={typed}
        error={error}
        data-autofocus
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </DialogForm>
  );
}

interface AskedProps {
  readonly id: number;
  readonly onAgain: () => void;
  readonly onClose: () => void;
}

function Asked({ id, onAgain, onClose }: AskedProps) {
  const verification = useQuery({
    queryKey: ['number-verifications', id],
    queryFn: async ({ signal }) => (await dataOf(getNumberVerification, { path: { id }, signal })).data,
    refetchInterval: ({ state }) =>
      state.data?.status === 'waiting' || state.data?.status === 'calling' ? LOOK_MS : false,
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Loaded query={verification} lines={3}>
      {(data) => <VerificationStep verification={data} onAgain={onAgain} onClose={onClose} />}
    </Loaded>
  );
}
