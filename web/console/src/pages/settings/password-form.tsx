import { Alert, Button, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { changePassword } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import { Panel } from '../../components/page/panel.js';
import { meQuery } from '../../session/me.js';
import { useTexts } from '../../texts/texts.js';
import { useErrorText, useFieldErrors } from '../../texts/use-error-text.js';

const EMPTY = { current_password: '', password: '' };

export function PasswordForm() {
  const t = useTexts('settings').password;
  const errorText = useErrorText();
  const fieldErrors = useFieldErrors();
  const { data: me } = useQuery(meQuery);
  const form = useForm({ mode: 'controlled', initialValues: EMPTY });
  const change = useMutation({
    mutationFn: (body: typeof EMPTY) => dataOf(changePassword, { body }),
    meta: { saved: t.done, changes: [['sessions']] },
    onSuccess: () => form.reset(),
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  const hasFieldErrors = Object.keys(form.errors).length > 0;
  return (
    <Panel title={t.title} subtitle={t.text}>
      <form onSubmit={form.onSubmit((values) => change.mutate(values))}>
        <Stack maw="24rem">
          {change.error && !hasFieldErrors && <Alert color="red">{errorText(change.error)}</Alert>}
          {/* By it a password manager knows whose password it is. */}
          <input type="hidden" name="email" autoComplete="username" value={me?.email ?? ''} readOnly />
          <PasswordInput
            label={t.current}
            autoComplete="current-password"
            required
            withAsterisk={false}
            {...form.getInputProps('current_password')}
          />
          <PasswordInput
            label={t.next}
            autoComplete="new-password"
            required
            withAsterisk={false}
            {...form.getInputProps('password')}
          />
          <div>
            <Button type="submit" loading={change.isPending}>
              {t.submit}
            </Button>
          </div>
        </Stack>
      </form>
    </Panel>
  );
}
