import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { requestPasswordLink } from '#client/sdk.gen.js';
import { dataOf } from '../api/client.js';
import { useTexts } from '../texts/texts.js';
import { useErrorText } from '../texts/use-error-text.js';
import { BackToSignIn } from './back-to-sign-in.js';
import { GuestPage } from './guest-page.js';

/** Asks for a password reset link by e-mail. */
export function ForgotPage() {
  const { forgotten: t, email } = useTexts('session');
  const errorText = useErrorText();
  const request = useMutation({
    mutationFn: (address: string) => dataOf(requestPasswordLink, { body: { email: address } }),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const address = new FormData(event.currentTarget).get('email');
    request.mutate(typeof address === 'string' ? address.trim() : '');
  };
  return (
    <GuestPage title={t.title} subtitle={t.subtitle}>
      {request.isSuccess ? (
        <Alert color="green">{t.sent}</Alert>
      ) : (
        <form onSubmit={submit}>
          <Stack gap="md">
            {request.error && <Alert color="red">{errorText(request.error)}</Alert>}
            <TextInput
              name="email"
              type="email"
              label={email}
              autoComplete="username"
              autoFocus
              required
              withAsterisk={false}
            />
            <Button type="submit" loading={request.isPending} size="md" mt="xs" fullWidth>
              {t.submit}
            </Button>
          </Stack>
        </form>
      )}
      <BackToSignIn text={t.signIn} />
    </GuestPage>
  );
}
