import { PasswordInput, TextInput } from '@mantine/core';
import { acceptInvitation } from '#client/sdk.gen.js';
import { dataOf } from '../api/client.js';
import { useTexts } from '../texts/texts.js';
import { useErrorText, useFieldErrors } from '../texts/use-error-text.js';
import { enter } from './enter.js';
import { LinkPage } from './link-page.js';
import { useEntry } from './use-entry.js';
import { GuestForm } from './guest/guest-form.js';

interface Person {
  readonly name: string;
  readonly password: string;
}

/** Accepts an invitation from its link and signs the new member in. */
export function JoinPage() {
  return <LinkPage texts={useTexts('session').join}>{(token) => <JoinForm token={token} />}</LinkPage>;
}

function JoinForm({ token }: { readonly token: string }) {
  const t = useTexts('session');
  const errorText = useErrorText();
  const fieldErrors = useFieldErrors();
  const join = useEntry(async ({ name, password }: Person) =>
    enter(await dataOf(acceptInvitation, { body: { token, name, password } }), password),
  );
  const errors = fieldErrors(join.error);
  return (
    <GuestForm
      submit={t.join.submit}
      isPending={join.isPending}
      problem={join.error && !errors.name && !errors.password && (errors.email ?? errorText(join.error))}
      onSubmit={(valueOf) => join.mutate({ name: valueOf('name'), password: valueOf('password') })}
    >
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
    </GuestForm>
  );
}
