import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { AssistantResponse } from '#client/types.gen.js';
import { defaultOf, variablesOf } from '../../../catalog/assistant-variables.js';
import { Form } from '../../../components/inputs/form.js';
import { useTexts } from '../../../texts/texts.js';
import classes from './test-chat.module.css';

export type TestVariables = Readonly<Record<string, string>>;

interface Props {
  readonly assistant: AssistantResponse;
  /** Restarts the test with the typed values. */
  readonly onApply: (variables: TestVariables) => void;
}

/** Values for the variables of an assistant, for a test: those of its prompt and its own defaults. */
export function TestVariablesForm({ assistant, onApply }: Props) {
  const t = useTexts('assistants').chat;
  const [values, setValues] = useState<TestVariables>({});
  const names = useMemo(() => variablesOf(assistant), [assistant]);
  if (names.length === 0) return null;
  return (
    <details className={classes.variables}>
      <summary>{t.variables}</summary>
      <Form
        onSubmit={() =>
          onApply(
            Object.fromEntries(names.map((name) => [name, values[name] ?? '']).filter(([, value]) => value)),
          )
        }
      >
        <Stack gap="xs">
          <Text size="xs" c="dimmed">
            {t.variablesText}
          </Text>
          {names.map((name) => (
            <TextInput
              key={name}
              size="xs"
              label={name}
              placeholder={defaultOf(assistant, name)}
              value={values[name] ?? ''}
              autoComplete="off"
              onChange={({ currentTarget: { value } }) => setValues((now) => ({ ...now, [name]: value }))}
            />
          ))}
          <div>
            <Button type="submit" variant="default" size="xs">
              {t.apply}
            </Button>
          </div>
        </Stack>
      </Form>
    </details>
  );
}
