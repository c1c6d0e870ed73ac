import { Modal, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createApiKey } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import { keptOpen, OneTimeSecret } from '../../components/actions/one-time-secret.js';
import { DialogForm } from '../../forms/dialog-form.js';
import { useTexts } from '../../texts/texts.js';
import { useFieldErrors } from '../../texts/use-error-text.js';
import { KeyLimits } from './key-limits.js';
import { type KeyValues, NEW_KEY, toRequest } from './limits.js';

const MAX_NAME = 255;

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Creates a key and shows its secret once. */
export function NewKey({ opened, onClose }: Props) {
  const t = useTexts('keys');
  const [token, setToken] = useState<string | null>(null);
  const close = () => {
    onClose();
    setToken(null);
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      {...keptOpen(token !== null)}
      title={token === null ? t.create : t.created}
    >
      {token === null ? (
        <KeyForm onCreated={setToken} onCancel={close} />
      ) : (
        <OneTimeSecret value={token} text={t.createdText} done={t.done} onDone={close} />
      )}
    </Modal>
  );
}

interface FormProps {
  readonly onCreated: (token: string) => void;
  readonly onCancel: () => void;
}

function KeyForm({ onCreated, onCancel }: FormProps) {
  const t = useTexts('keys');
  const { actions } = useTexts('common');
  const queries = useQueryClient();
  const fieldErrors = useFieldErrors();
  const [values, setValues] = useState(NEW_KEY);
  // Leaving a field and changing the next can happen in the same event.
  const change = (changed: Partial<KeyValues>) => setValues((now) => ({ ...now, ...changed }));
  const create = useMutation({
    mutationFn: () => dataOf(createApiKey, { body: toRequest(values) }),
    onSuccess: ({ api_key }) => {
      onCreated(api_key.token);
      return queries.invalidateQueries({ queryKey: ['api-keys'] });
    },
  });
  const errors = fieldErrors(create.error);
  return (
    <DialogForm
      submit={actions.create}
      isDisabled={values.kind === 'scoped' && values.scopes.length === 0}
      onCancel={onCancel}
      mutation={create}
      errors={errors}
      onSubmit={create.mutate}
    >
      <TextInput
        label={t.name}
        placeholder={t.namePlaceholder}
        value={values.name}
        maxLength={MAX_NAME}
        required
        withAsterisk={false}
        data-autofocus
        error={errors.name}
        onChange={({ currentTarget: { value: name } }) => change({ name })}
      />
      <KeyLimits values={values} errors={errors} onChange={change} />
    </DialogForm>
  );
}
