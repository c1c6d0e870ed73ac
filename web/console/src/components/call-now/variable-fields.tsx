import { Fieldset, Stack, TextInput } from '@mantine/core';
import '@mantine/core/styles/Fieldset.layer.css';
import type { AssistantResponse } from '#client/types.gen.js';
import { defaultOf, variablesOf } from '../../catalog/assistant-variables.js';
import { useTexts } from '../../texts/texts.js';

/** More are rarely filled in by hand; the assistant uses their defaults. */
const MOST = 20;

interface Props {
  readonly assistant: AssistantResponse;
  readonly given: Readonly<Record<string, unknown>>;
  readonly typed: Readonly<Record<string, string>>;
  readonly onType: (name: string, value: string) => void;
}

/** A field for each variable that the assistant uses. */
export function VariableFields({ assistant, given, typed, onType }: Props) {
  const t = useTexts('callNow');
  const names = variablesOf(assistant).slice(0, MOST);
  if (names.length === 0) return null;
  return (
    <Fieldset legend={t.variables}>
      <Stack gap="xs">
        {names.map((name) => (
          <TextInput
            key={name}
            size="xs"
            label={name}
            placeholder={defaultOf(assistant, name)}
            value={typed[name] ?? defaultOf({ ...assistant, variables: given }, name)}
            maxLength={1_000}
            autoComplete="off"
            onChange={({ currentTarget: { value } }) => onType(name, value)}
          />
        ))}
      </Stack>
    </Fieldset>
  );
}
