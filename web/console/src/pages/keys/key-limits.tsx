import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { Checkbox, Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import { KINDS, type Kind, type KeyValues, SCOPES } from './limits.js';

interface Props {
  readonly values: KeyValues;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (changed: Partial<KeyValues>) => void;
}

/** Fields for the permissions, origins and expiry of a key. */
export function KeyLimits({ values, errors, onChange }: Props) {
  const t = useTexts('keys');
  const format = useFormat();
  return (
    <>
      <Select
        label={t.kind}
        description={t.kindsText[values.kind]}
        data={KINDS.map((value) => ({ value, label: t.kinds[value] }))}
        value={values.kind}
        allowDeselect={false}
        onChange={(kind) => kind !== null && onChange({ kind: kind satisfies Kind })}
      />
      {values.kind === 'scoped' && (
        <Checkbox.Group
          label={t.scopesLabel}
          value={[...values.scopes]}
          error={errors.scopes}
          onChange={(chosen) => onChange({ scopes: SCOPES.filter((scope) => chosen.includes(scope)) })}
        >
          <Stack gap="xs" mt="xs">
            {SCOPES.map((scope) => (
              <Checkbox key={scope} value={scope} label={t.scopes[scope]} description={t.scopesText[scope]} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <TagsInput
        label={t.origins}
        description={t.originsText}
        placeholder={values.origins.length === 0 ? 'https://www.loja.com.br' : ''}
        value={[...values.origins]}
        error={Object.entries(errors).find(([field]) => field.startsWith('allowed_origins'))?.[1]}
        acceptValueOnBlur
        onChange={(origins) => onChange({ origins })}
      />
      <TextInput
        type="date"
        label={t.lastDay}
        description={t.lastDayText}
        min={format.today()}
        value={values.lastDay}
        error={errors.expires_at}
        onChange={({ currentTarget: { value: lastDay } }) => onChange({ lastDay })}
      />
    </>
  );
}
