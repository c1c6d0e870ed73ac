import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { confirmOidcLink } from '#client/sdk.gen.js';
import { ApiError } from '../api/api-error.js';
import { dataOf } from '../api/client.js';
import { useTexts } from '../texts/texts.js';
import { useErrorText } from '../texts/use-error-text.js';
import { BackToSignIn } from './back-to-sign-in.js';
import { GuestPage } from './guest-page.js';
import { useEntry } from './use-entry.js';

/** Links an existing email to the identity provider: its password is asked for once. */
export function LinkAccountPage() {
  const { link: t, password, wrong } = useTexts('session');
  const errorText = useErrorText();
  const email = useRouterState({ select: ({ location }) => location.hash });
  const confirm = useEntry((value: string) => dataOf(confirmOidcLink, { body: { password: value } }));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const value = new FormData(event.currentTarget).get('password');
    confirm.mutate(typeof value === 'string' ? value : '');
  };
  const isWrong = confirm.error instanceof ApiError && confirm.error.status === 401;
  return (
    <GuestPage title={t.title} subtitle={t.subtitle}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {confirm.error && <Alert color="red">{isWrong ? wrong : errorText(confirm.error)}</Alert>}
          <Text>{email}</Text>
          <PasswordInput
            name="password"
            label={password}
            autoComplete="current-password"
            autoFocus
            required
            withAsterisk={false}
          />
          <Button type="submit" loading={confirm.isPending} size="md" mt="xs" fullWidth>
            {t.submit}
          </Button>
        </Stack>
      </form>
      <BackToSignIn text={t.signIn} />
    </GuestPage>
  );
}
