import { PasswordInput } from '@mantine/core';
import { resetPassword } from '#client/sdk.gen.js';
import { dataOf } from '../api/client.js';
import { useTexts } from '../texts/texts.js';
import { useErrorText, useFieldErrors } from '../texts/use-error-text.js';
import { enter } from './enter.js';
import { LinkPage } from './link-page.js';
import { useEntry } from './use-entry.js';
import { GuestForm } from './guest/guest-form.js';

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
  const errors = fieldErrors(reset.error);
  return (
    <GuestForm
      submit={t.newPassword.submit}
      isPending={reset.isPending}
      problem={reset.error && errors.password === undefined && errorText(reset.error)}
      onSubmit={(valueOf) => reset.mutate(valueOf('password'))}
    >
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
    </GuestForm>
  );
}
