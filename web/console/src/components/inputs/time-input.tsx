import { Input } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface Props {
  readonly label: string;
  /** Names the input without showing the label, for rows that show it once. */
  readonly isLabelHidden?: boolean;
  /** `HH:MM`, or empty. */
  readonly value: string;
  readonly error?: ReactNode;
  readonly autoFocus?: boolean;
  readonly onChange: (value: string) => void;
}

/** A time of day, as the browser lets people type it. */
export function TimeInput({ label, isLabelHidden, value, error, autoFocus, onChange }: Props) {
  const id = useId();
  return (
    <Input.Wrapper id={id} label={isLabelHidden ? undefined : label} error={error}>
      <Input
        id={id}
        type="time"
        value={value}
        error={Boolean(error)}
        aria-label={isLabelHidden ? label : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        autoFocus={autoFocus ?? false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Input.Wrapper>
  );
}
