import { Alert, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { requestPasswordLink } from '#client/sdk.gen.js';
import { dataOf } from '../api/client.js';
import { useTexts } from '../texts/texts.js';
import { useErrorText } from '../texts/use-error-text.js';
import { BackToSignIn } from './back-to-sign-in.js';
import { GuestPage } from './guest/guest-page.js';
import { GuestForm } from './guest/guest-form.js';

/** Asks for a password reset link by e-mail. */
export function ForgotPage() {
  const { forgotten: t, email } = useTexts('session');
  const errorText = useErrorText();
  const request = useMutation({
    mutationFn: (address: string) => dataOf(requestPasswordLink, { body: { email: address } }),
  });
  return (
    <GuestPage title={t.title} subtitle={t.subtitle}>
      {request.isSuccess ? (
        <Alert color="green">{t.sent}</Alert>
      ) : (
        <GuestForm
          submit={t.submit}
          isPending={request.isPending}
          problem={request.error && errorText(request.error)}
          onSubmit={(valueOf) => request.mutate(valueOf('email').trim())}
        >
          <TextInput
            name="email"
            type="email"
            label={email}
            autoComplete="username"
            autoFocus
            required
            withAsterisk={false}
          />
        </GuestForm>
      )}
      <BackToSignIn text={t.signIn} />
    </GuestPage>
  );
}
