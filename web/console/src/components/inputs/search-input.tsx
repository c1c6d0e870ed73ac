import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type Ref, useEffect, useRef, useState } from 'react';

const DELAY_MS = 300;

type Shown =
  | 'type'
  | 'label'
  | 'aria-label'
  | 'placeholder'
  | 'maxLength'
  | 'className'
  | 'leftSection'
  | 'rightSection'
  | 'autoFocus';

interface Props extends Pick<TextInputProps, Shown> {
  readonly ref?: Ref<HTMLInputElement>;
  /** As the URL has it. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A filter that is typed, and applied a moment after the last key. */
export function SearchInput({ value, onChange, ...props }: Props) {
  const [typed, setTyped] = useState(value);
  const asked = useRef(value);
  const changeSoon = useDebouncedCallback((next: string) => {
    asked.current = next;
    onChange(next);
  }, DELAY_MS);
  // The URL changed from outside, such as by a link that clears the filters. Keeps what is being typed.
  useEffect(() => {
    if (value === asked.current) return;
    asked.current = value;
    setTyped(value);
  }, [value]);
  return (
    <TextInput
      {...props}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        changeSoon(currentTarget.value.trim());
      }}
    />
  );
}
