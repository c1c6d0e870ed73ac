import { TextInput } from '@mantine/core';

interface Range {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface Props {
  readonly texts: { readonly from: string; readonly to: string };
  readonly value: Range;
  /** An empty text is no date. */
  readonly onChange: (changed: Range) => void;
}

/** First and last day of a list. */
export function DateRange({ texts, value, onChange }: Props) {
  return (['from', 'to'] as const).map((name) => (
    <TextInput
      key={name}
      type="date"
      label={texts[name]}
      value={value[name] ?? ''}
      onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
    />
  ));
}
