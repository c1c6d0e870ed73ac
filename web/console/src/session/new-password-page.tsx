import { Alert, Anchor, Button, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useRouterState } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { resetPassword } from '../../../../clients/typescript/src/sdk.gen.js';
import { dataOf } from '../api/client.js';
import { Logo } from '../components/logo.js';
import { useDocumentTitle } from '../components/page/use-document-title.js';
import { useTexts } from '../texts/texts.js';
import { useErrorText, useFieldErrors } from '../texts/use-error-text.js';
import { enter } from './enter.js';
import { setExpired } from './expiry.js';
import classes from './sign-in-page.module.css';

/** Lets whoever follows the link set a new password, and signs them in. */
export function NewPasswordPage() {
  const t = useTexts('session').newPassword;
  const token = useRouterState({ select: ({ location }) => location.hash });
  useDocumentTitle(t.title);
  return (
    <main className={classes.page}>
      <div className={classes.panel}>
        <Logo size={40} />
        <Title order={1} mt="lg">
          {t.title}
        </Title>
        <Text c="dimmed" mb="xl">
          {t.subtitle}
        </Text>
        {token === '' ? <Alert color="red">{t.noToken}</Alert> : <NewPasswordForm token={token} />}
        <Text size="sm" ta="center" mt="xl">
          <Anchor component={Link} to="/sign-in">
            {t.signIn}
          </Anchor>
        </Text>
      </div>
    </main>
  );
}

function NewPasswordForm({ token }: { readonly token: string }) {
  const t = useTexts('session');
  const errorText = useErrorText();
  const fieldErrors = useFieldErrors();
  const reset = useReset(token);
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

function useReset(token: string) {
  const queries = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: async (password: string) =>
      enter(await dataOf(resetPassword({ body: { token, password }, throwOnError: true })), password),
    onSuccess: () => {
      setExpired(false);
      queries.clear();
      router.history.replace(router.basepath);
    },
  });
}
