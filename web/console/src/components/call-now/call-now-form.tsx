import { Alert, Anchor, NativeSelect, TextInput } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AssistantResponse } from '#client/types.gen.js';
import { variablesOf } from '../../catalog/assistant-variables.js';
import { DialogForm } from '../../forms/dialog-form.js';
import { useTexts } from '../../texts/texts.js';
import { useFieldErrors } from '../../texts/use-error-text.js';
import { CostHint } from './cost-hint.js';
import { VariableFields } from './variable-fields.js';

export interface CallOrder {
  readonly phone_number: string;
  readonly assistant_id: number;
  readonly variables: Record<string, unknown>;
}

interface Props {
  readonly phone: string;
  /** Variables that are known of the customer. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly assistants: readonly AssistantResponse[];
  readonly call: Pick<UseMutationResult<unknown, unknown, CallOrder>, 'mutate' | 'isPending' | 'error'>;
  readonly onClose: () => void;
}

export function CallNowForm({ phone, given, assistants, call, onClose }: Props) {
  const t = useTexts('callNow');
  const [number, setNumber] = useState(phone);
  const [chosen, setChosen] = useState(assistants[0]?.id);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const assistant = assistants.find(({ id }) => id === chosen);
  const { phone_number: phoneError } = useFieldErrors()(call.error);
  const submit = () => {
    if (!assistant) return;
    const changed = variablesOf(assistant)
      .filter((name) => Object.hasOwn(typed, name))
      // An emptied field is not sent, so that the assistant's default applies.
      .map((name) => [name, typed[name] || undefined]);
    call.mutate({
      phone_number: number.trim(),
      assistant_id: assistant.id,
      variables: { ...given, ...Object.fromEntries(changed) },
    });
  };
  return (
    <DialogForm
      submit={t.submit}
      isDisabled={!assistant}
      onCancel={onClose}
      mutation={call}
      errors={{ phoneError }}
      onSubmit={submit}
    >
      <TextInput
        type="tel"
        label={t.phone}
        description={t.phoneHint}
        placeholder="+55 11 99876-5432"
        value={number}
        maxLength={64}
        required
        withAsterisk={false}
        autoFocus
        data-autofocus
        error={phoneError}
        onChange={({ currentTarget }) => setNumber(currentTarget.value)}
      />
      {assistant ? (
        <>
          <NativeSelect
            label={t.assistant}
            value={String(assistant.id)}
            data={assistants.map(({ id, name }) => ({ value: String(id), label: name }))}
            onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
          />
          <VariableFields
            assistant={assistant}
            given={given}
            typed={typed}
            onType={(name, value) => setTyped((now) => ({ ...now, [name]: value }))}
          />
          <CostHint assistantId={assistant.id} />
        </>
      ) : (
        <Alert color="amber">
          {t.noAssistant}{' '}
          <Anchor renderRoot={(props) => <Link to="/assistants" {...props} />}>{t.toAssistants}</Anchor>
        </Alert>
      )}
    </DialogForm>
  );
}
