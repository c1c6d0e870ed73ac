import { PasswordInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { beginBrowserSession } from '#client/sdk.gen.js';
import { ApiError } from '../api/api-error.js';
import { dataOf } from '../api/client.js';
import { SIGN_IN_KEY } from '../api/query-client.js';
import { useTexts } from '../texts/texts.js';
import { useErrorText } from '../texts/use-error-text.js';
import { setExpired } from './expiry.js';
import { GuestForm } from './guest/guest-form.js';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

interface Props {
  /** Email of the person whose session has expired. */
  readonly email?: string;
  /** Called after sign-in. The caller reads who it is and decides about cached data. */
  readonly onDone: () => unknown;
}

export function SignInForm({ email, onDone }: Props) {
  const t = useTexts('session');
  const errorText = useErrorText();
  const signIn = useMutation({
    mutationKey: SIGN_IN_KEY,
    mutationFn: (body: Credentials) => dataOf(beginBrowserSession, { body }),
    onSuccess: async () => {
      await onDone();
      setExpired(false);
    },
  });
  const isWrong = signIn.error instanceof ApiError && signIn.error.status === 401;
  return (
    <GuestForm
      submit={t.submit}
      isPending={signIn.isPending}
      problem={signIn.error && (isWrong ? t.wrong : errorText(signIn.error))}
      onSubmit={(valueOf) => signIn.mutate({ email: valueOf('email'), password: valueOf('password') })}
    >
      <TextInput
        name="email"
        type="email"
        label={t.email}
        autoComplete="username"
        defaultValue={email}
        autoFocus={!email}
        required
        withAsterisk={false}
      />
      <PasswordInput
        name="password"
        label={t.password}
        autoComplete="current-password"
        autoFocus={Boolean(email)}
        required
        withAsterisk={false}
      />
    </GuestForm>
  );
}
