import { Select, TextInput } from '@mantine/core';
import classes from '../../forms/fields.module.css';
import { useField } from '../../forms/schema-form.js';
import { useTexts } from '../../texts/texts.js';

const CHOICES = ['none', 'same', 'other'] as const;

type Choice = (typeof CHOICES)[number];

const VALUES: Readonly<Record<Choice, boolean | string>> = { none: false, same: true, other: '' };

function choiceOf(value: unknown): Choice {
  if (typeof value === 'string') return 'other';
  return value === true ? 'same' : 'none';
}

/** None, the trunk's own server, or another one with its address. */
export function OutboundProxyField() {
  const { trunks } = useTexts('numbers');
  const { value, error, set, words } = useField('outbound_proxy');
  const choice = choiceOf(value);
  const isOther = choice === 'other';
  return (
    <>
      <Select
        label={words.label}
        description={words.hint}
        data={CHOICES.map((name) => ({ value: name, label: trunks.proxies[name] }))}
        value={choice}
        error={isOther ? undefined : error}
        allowDeselect={false}
        onChange={(next) => set(VALUES[choiceNamed(next)])}
      />
      {isOther && (
        <TextInput
          label={trunks.proxyAddress}
          placeholder={words.placeholder}
          value={typeof value === 'string' ? value : ''}
          error={error}
          autoComplete="off"
          classNames={{ input: classes.mono ?? '' }}
          onChange={(event) => set(event.currentTarget.value)}
        />
      )}
    </>
  );
}

function choiceNamed(text: string | null): Choice {
  return CHOICES.find((name) => name === text) ?? 'none';
}
