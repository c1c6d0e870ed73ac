import { Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { cancelNumberVerification, confirmNumberVerification } from '#client/sdk.gen.js';
import type { NumberVerificationResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import { Form } from '../../components/inputs/form.js';
import { Problem } from '../../components/states/problem.js';
import { useTexts } from '../../texts/texts.js';

interface Props {
  readonly verification: NumberVerificationResponse;
  /** Asks for another call. */
  readonly onAgain: () => void;
  readonly onClose: () => void;
}

/** Next step after a verification call was requested. */
export function VerificationStep(props: Props) {
  const { verify: t } = useTexts('numbers');
  const { status, failure } = props.verification;
  const isCalling = status === 'waiting' || status === 'calling';
  return (
    <>
      <Text className="tabular" fw={500}>
        {props.verification.phone_number}
      </Text>
      <Text role="status" size="sm" mb="md">
        {failure ? t.failures[failure] : isCalling ? t.calling : t.spoken}
      </Text>
      {status === 'spoken' && <CodeForm {...props} />}
      {isCalling && <Cancel {...props} />}
      {failure && (
        <Group justify="flex-end">
          <Button onClick={props.onAgain} data-autofocus>
            {t.again}
          </Button>
        </Group>
      )}
    </>
  );
}

function CodeForm({ verification, onAgain, onClose }: Props) {
  const { verify: t } = useTexts('numbers');
  const [code, setCode] = useState('');
  const { id, sandbox_words: sandboxWords } = verification;
  const confirm = useMutation({
    mutationFn: () => dataOf(confirmNumberVerification, { path: { id }, body: { code } }),
    meta: { saved: t.done, changes: [['phone-numbers']] },
    onSuccess: onClose,
  });
  return (
    <Form onSubmit={() => confirm.mutate()}>
      {sandboxWords !== null && (
        <Dimmed mb="md">
          {t.sandbox} “{sandboxWords}”
        </Dimmed>
      )}
      <TextInput
        label={t.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        required
        autoFocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value.replaceAll(/\D/g, ''))}
      />
      {confirm.error && <Problem error={confirm.error} />}
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={onAgain}>
          {t.again}
        </Button>
        <Button type="submit" loading={confirm.isPending} disabled={code.length !== 6}>
          {t.confirm}
        </Button>
      </Group>
    </Form>
  );
}

function Cancel({ verification: { id }, onClose }: Props) {
  const { actions } = useTexts('common');
  const cancel = useMutation({
    mutationFn: () => dataOf(cancelNumberVerification, { path: { id } }),
    onSuccess: onClose,
  });
  return (
    <>
      {cancel.error && <Problem error={cancel.error} />}
      <Group justify="flex-end">
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {actions.cancel}
        </Button>
      </Group>
    </>
  );
}
