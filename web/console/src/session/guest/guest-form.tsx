import { Alert, Button, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';

interface Props {
  /** Label of the button. */
  readonly submit: string;
  readonly isPending: boolean;
  /** Why the last attempt failed, unless a field says so. */
  readonly problem: ReactNode;
  /** @param valueOf the text of a field by its name */
  readonly onSubmit: (valueOf: (name: string) => string) => void;
  readonly children: ReactNode;
}

/** The form of a page for people who are not signed in. */
export function GuestForm({ submit, isPending, problem, onSubmit, children }: Props) {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    onSubmit((name) => {
      const value = values.get(name);
      return typeof value === 'string' ? value : '';
    });
  };
  return (
    <form onSubmit={send}>
      <Stack gap="md">
        {problem && <Alert color="red">{problem}</Alert>}
        {children}
        <Button type="submit" loading={isPending} size="md" mt="xs" fullWidth>
          {submit}
        </Button>
      </Stack>
    </form>
  );
}
