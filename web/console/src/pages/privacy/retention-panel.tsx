import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { RetentionRequestSchema } from '#client/rules.gen.js';
import { getRetention, updateRetention } from '#client/sdk.gen.js';
import type { RetentionResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { Form } from '../../components/inputs/form.js';
import { Loaded } from '../../components/states/loaded.js';
import { Panel } from '../../components/page/panel.js';
import { Problem } from '../../components/states/problem.js';
import { FieldGrid } from '../../forms/section.js';
import { useTexts } from '../../texts/texts.js';
import { useFieldErrors } from '../../texts/use-error-text.js';
import { useFormat } from '../../texts/use-format.js';

const KEY = ['retention'];
const FIELDS = ['calls_days', 'recordings_days', 'conversations_days'] as const;
type Days = Record<(typeof FIELDS)[number], string>;

/** Retention settings. */
export function RetentionPanel() {
  const t = useTexts('privacy').retention;
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => dataOf(getRetention, { signal }),
  });
  return (
    <Panel title={t.title} subtitle={t.text}>
      <Loaded query={query} lines={3}>
        {(stored) => <DaysForm key={FIELDS.map((name) => stored[name]).join('/')} stored={stored} />}
      </Loaded>
    </Panel>
  );
}

function DaysForm({ stored }: { readonly stored: RetentionResponse }) {
  const t = useTexts('privacy').retention;
  const { actions } = useTexts('common');
  const fieldErrors = useFieldErrors();
  const format = useFormat();
  const queries = useQueryClient();
  const before = textsOf(stored);
  const [days, setDays] = useState(before);
  const save = useMutation({
    mutationFn: () => dataOf(updateRetention, { body: numbersOf(days) }),
    meta: { saved: t.saved },
    onSuccess: ({ data }) => queries.setQueryData(KEY, data),
  });
  const errors = fieldErrors(save.error);
  const isShorter = FIELDS.some((name) => isLess(days[name], stored.in_force[name]));
  return (
    <Form onSubmit={() => save.mutate()}>
      <Stack>
        <FieldGrid>
          {FIELDS.map((name) => {
            const { minimum, maximum } = RetentionRequestSchema.properties[name];
            const held = stored.in_force[name];
            return (
              <TextInput
                key={name}
                type="number"
                min={minimum}
                max={maximum}
                step={1}
                label={t.fields[name]}
                description={held === null ? t.always[name] : t.inForce(held, format.number(held))}
                placeholder={t.placeholder}
                value={days[name]}
                error={errors[name]}
                onChange={({ currentTarget: { value } }) => setDays((now) => ({ ...now, [name]: value }))}
              />
            );
          })}
        </FieldGrid>
        <Text size="xs" c="dimmed">
          {t.empty}
        </Text>
        {isShorter && <Alert color="amber">{t.shorter}</Alert>}
        {save.error && Object.keys(errors).length === 0 && <Problem error={save.error} />}
        <div>
          <Button
            type="submit"
            loading={save.isPending}
            disabled={FIELDS.every((name) => days[name] === before[name])}
          >
            {actions.save}
          </Button>
        </div>
      </Stack>
    </Form>
  );
}

function textsOf(stored: RetentionResponse): Days {
  return Object.fromEntries(FIELDS.map((name) => [name, String(stored[name] ?? '')])) as Days;
}

function numbersOf(days: Days): Record<keyof Days, number | null> {
  return Object.fromEntries(
    FIELDS.map((name) => [name, days[name] === '' ? null : Number(days[name])]),
  ) as Record<keyof Days, number | null>;
}

/** Whether saving erases data that is stored now. */
function isLess(typed: string, held: number | null): boolean {
  return typed !== '' && Number(typed) < (held ?? Infinity);
}
