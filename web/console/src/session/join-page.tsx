import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useRouterState } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { acceptInvitation } from '../../../../clients/typescript/src/sdk.gen.js';
import { dataOf } from '../api/client.js';
import { Logo } from '../components/logo.js';
import { useDocumentTitle } from '../components/page/use-document-title.js';
import { useTexts } from '../texts/texts.js';
import { useErrorText, useFieldErrors } from '../texts/use-error-text.js';
import { enter } from './enter.js';
import { setExpired } from './expiry.js';
import classes from './sign-in-page.module.css';

interface Person {
  readonly name: string;
  readonly password: string;
}

/** Makes whoever follows the link of an invitation a member, and signs them in. */
export function JoinPage() {
  const t = useTexts('session').join;
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
        {token === '' ? <Alert color="red">{t.noToken}</Alert> : <JoinForm token={token} />}
        <Text size="sm" ta="center" mt="xl">
          <Anchor component={Link} to="/sign-in">
            {t.signIn}
          </Anchor>
        </Text>
      </div>
    </main>
  );
}

function JoinForm({ token }: { readonly token: string }) {
  const t = useTexts('session');
  const errorText = useErrorText();
  const fieldErrors = useFieldErrors();
  const join = useJoin(token);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = new FormData(event.currentTarget);
    join.mutate({ name: textOf(values.get('name')), password: textOf(values.get('password')) });
  };
  const errors = fieldErrors(join.error);
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {join.error && Object.keys(errors).length === 0 && <Alert color="red">{errorText(join.error)}</Alert>}
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

function useJoin(token: string) {
  const queries = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: async ({ name, password }: Person) => {
      const joined = await dataOf(acceptInvitation({ body: { token, name, password }, throwOnError: true }));
      await enter(joined, password);
    },
    onSuccess: () => {
      setExpired(false);
      queries.clear();
      router.history.replace(router.basepath);
    },
  });
}

function textOf(value: FormDataEntryValue | null): string {
  return typeof value === 'string' ? value : '';
}
