import { PasswordInput, Text } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { confirmOidcLink } from '#client/sdk.gen.js';
import { ApiError } from '../api/api-error.js';
import { dataOf } from '../api/client.js';
import { useTexts } from '../texts/texts.js';
import { useErrorText } from '../texts/use-error-text.js';
import { BackToSignIn } from './back-to-sign-in.js';
import { GuestPage } from './guest/guest-page.js';
import { useEntry } from './use-entry.js';
import { GuestForm } from './guest/guest-form.js';

/** Links an existing email to the identity provider: its password is asked for once. */
export function LinkAccountPage() {
  const { link: t, password, wrong } = useTexts('session');
  const errorText = useErrorText();
  const email = useRouterState({ select: ({ location }) => location.hash });
  const confirm = useEntry((value: string) => dataOf(confirmOidcLink, { body: { password: value } }));
  const isWrong = confirm.error instanceof ApiError && confirm.error.status === 401;
  return (
    <GuestPage title={t.title} subtitle={t.subtitle}>
      <GuestForm
        submit={t.submit}
        isPending={confirm.isPending}
        problem={confirm.error && (isWrong ? wrong : errorText(confirm.error))}
        onSubmit={(valueOf) => confirm.mutate(valueOf('password'))}
      >
        <Text>{email}</Text>
        <PasswordInput
          name="password"
          label={password}
          autoComplete="current-password"
          autoFocus
          required
          withAsterisk={false}
        />
      </GuestForm>
      <BackToSignIn text={t.signIn} />
    </GuestPage>
  );
}
