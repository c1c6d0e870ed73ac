import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { acceptInvitation } from '#client/sdk.gen.js';
import { dataOf } from '../api/client.js';
import { useTexts } from '../texts/texts.js';
import { useErrorText, useFieldErrors } from '../texts/use-error-text.js';
import { enter } from './enter.js';
import { LinkPage } from './link-page.js';
import { useEntry } from './use-entry.js';

interface Person {
  readonly name: string;
  readonly password: string;
}

/** Accepts an invitation from its link and signs the new member in. */
export function JoinPage() {
  return <LinkPage texts={useTexts('session').join}>{(token) => <JoinForm token={token} />}</LinkPage>;
}

function JoinForm({ token }: { readonly token: string }) {
  const t = useTexts('session');
  const errorText = useErrorText();
  const fieldErrors = useFieldErrors();
  const join = useEntry(async ({ name, password }: Person) =>
    enter(await dataOf(acceptInvitation, { body: { token, name, password } }), password),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    join.mutate({ name: textOf(values.get('name')), password: textOf(values.get('password')) });
  };
  const errors = fieldErrors(join.error);
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {join.error && !errors.name && !errors.password && (
          <Alert color="red">{errors.email ?? errorText(join.error)}</Alert>
        )}
        <TextInput
          name="name"
          label={t.join.name}
          autoComplete="name"
          maxLength={255}
          error={errors.name}
          autoFocus
          required
          withAsterisk={false}
        />
        <PasswordInput
          name="password"
          label={t.password}
          description={t.join.passwordHint}
          autoComplete="new-password"
          minLength={8}
          error={errors.password}
          required
          withAsterisk={false}
        />
        <Button type="submit" loading={join.isPending} size="md" mt="xs" fullWidth>
          {t.join.submit}
        </Button>
      </Stack>
    </form>
  );
}

function textOf(value: FormDataEntryValue | null): string {
  return typeof value === 'string' ? value : '';
}
