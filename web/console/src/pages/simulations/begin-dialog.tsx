import { Modal, NativeSelect, Textarea, type TextareaProps, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { beginSimulation } from '#client/sdk.gen.js';
import type { BeginSimulationRequest } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { DialogForm } from '../../forms/dialog-form.js';
import { useTexts } from '../../texts/texts.js';

const RUNS = [1, 3, 5, 10, 20];
const EMPTY = { name: '', lines: '', says: '', neverSays: '', criteria: '', runs: 1 };

type Values = typeof EMPTY;

interface Props {
  readonly assistant: number;
  readonly onClose: () => void;
}

/** Asks for what the customer writes and what is checked, one a line. */
export function BeginDialog({ assistant, onClose }: Props) {
  const t = useTexts('simulations');
  const [values, setValues] = useState<Values>(EMPTY);
  const [isUnchecked, setIsUnchecked] = useState(false);
  const body = toRequest(values);
  const begin = useMutation({
    mutationFn: () => dataOf(beginSimulation, { path: { id: assistant }, body }),
    meta: { changes: [['simulations', 'list']] },
    onSuccess: onClose,
  });
  const submit = () => {
    setIsUnchecked(body.checks.length === 0);
    if (body.checks.length > 0) begin.mutate();
  };
  const lines = (name: 'lines' | 'says' | 'neverSays' | 'criteria', props: TextareaProps = {}) => (
    <Textarea
      label={t.dialog[name]}
      value={values[name]}
      autosize
      minRows={2}
      maxRows={8}
      maxLength={20_000}
      onChange={({ currentTarget: { value } }) => setValues((before) => ({ ...before, [name]: value }))}
      {...props}
    />
  );
  return (
    <Modal opened onClose={onClose} title={t.begin}>
      <DialogForm submit={t.dialog.submit} onCancel={onClose} mutation={begin} onSubmit={submit}>
        <TextInput
          label={t.dialog.name}
          value={values.name}
          maxLength={255}
          autoComplete="off"
          data-autofocus
          onChange={({ currentTarget: { value } }) => setValues((before) => ({ ...before, name: value }))}
        />
        {lines('lines', { description: t.dialog.linesHint, required: true, withAsterisk: false })}
        {lines('says', {
          description: t.dialog.saysHint,
          error: isUnchecked && body.checks.length === 0 && t.dialog.noChecks,
        })}
        {lines('neverSays')}
        {lines('criteria', { description: t.dialog.criteriaHint })}
        <NativeSelect
          label={t.dialog.runs}
          value={String(values.runs)}
          data={RUNS.map(String)}
          onChange={({ currentTarget: { value } }) =>
            setValues((before) => ({ ...before, runs: Number(value) }))
          }
        />
      </DialogForm>
    </Modal>
  );
}

function toRequest({ name, lines, says, neverSays, criteria, runs }: Values): BeginSimulationRequest {
  const customerLines = linesOf(lines);
  return {
    ...(name.trim() && { name: name.trim() }),
    runs,
    max_turns: Math.min(Math.max(customerLines.length, 1), 30),
    customer: { type: 'script', lines: customerLines },
    checks: [
      ...linesOf(says).map((text) => ({ type: 'says' as const, text })),
      ...linesOf(neverSays).map((text) => ({ type: 'never_says' as const, text })),
      ...linesOf(criteria).map((criterion) => ({ type: 'judge' as const, criterion })),
    ],
  };
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
