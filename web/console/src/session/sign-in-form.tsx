import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { beginBrowserSession } from '#client/sdk.gen.js';
import { ApiError } from '../api/api-error.js';
import { dataOf } from '../api/client.js';
import { SIGN_IN_KEY } from '../api/query-client.js';
import { useTexts } from '../texts/texts.js';
import { useErrorText } from '../texts/use-error-text.js';
import { setExpired } from './expiry.js';

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
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    signIn.mutate({ email: textOf(values.get('email')), password: textOf(values.get('password')) });
  };
  const isWrong = signIn.error instanceof ApiError && signIn.error.status === 401;
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {signIn.error && <Alert color="red">{isWrong ? t.wrong : errorText(signIn.error)}</Alert>}
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
        <Button type="submit" loading={signIn.isPending} size="md" mt="xs" fullWidth>
          {t.submit}
        </Button>
      </Stack>
    </form>
  );
}

function textOf(value: FormDataEntryValue | null): string {
  return typeof value === 'string' ? value : '';
}
