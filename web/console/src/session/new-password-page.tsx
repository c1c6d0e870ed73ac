import { Alert, Button, PasswordInput, Stack } from '@mantine/core';
import type { FormEvent } from 'react';
import { resetPassword } from '#client/sdk.gen.js';
import { dataOf } from '../api/client.js';
import { useTexts } from '../texts/texts.js';
import { useErrorText, useFieldErrors } from '../texts/use-error-text.js';
import { enter } from './enter.js';
import { LinkPage } from './link-page.js';
import { useEntry } from './use-entry.js';

/** Sets a new password from a link and signs the member in. */
export function NewPasswordPage() {
  return (
    <LinkPage texts={useTexts('session').newPassword}>
      {(token) => <NewPasswordForm token={token} />}
    </LinkPage>
  );
}

function NewPasswordForm({ token }: { readonly token: string }) {
  const t = useTexts('session');
  const errorText = useErrorText();
  const fieldErrors = useFieldErrors();
  const reset = useEntry(async (password: string) =>
    enter(await dataOf(resetPassword, { body: { token, password } }), password),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = new FormData(event.currentTarget).get('password');
    reset.mutate(typeof password === 'string' ? password : '');
  };
  const errors = fieldErrors(reset.error);
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {reset.error && errors.password === undefined && <Alert color="red">{errorText(reset.error)}</Alert>}
        <PasswordInput
          name="password"
          label={t.newPassword.password}
          description={t.join.passwordHint}
          autoComplete="new-password"
          minLength={8}
          error={errors.password}
          autoFocus
          required
          withAsterisk={false}
        />
        <Button type="submit" loading={reset.isPending} size="md" mt="xs" fullWidth>
          {t.newPassword.submit}
        </Button>
      </Stack>
    </form>
  );
}
