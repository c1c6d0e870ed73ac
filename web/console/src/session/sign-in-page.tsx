import { Alert, Anchor, Divider } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { forgetRefused } from '../api/query-client.js';
import { Dimmed } from '../components/dimmed.js';
import { useTexts } from '../texts/texts.js';
import { GuestPage } from './guest/guest-page.js';
import { optionsQuery } from './options.js';
import { ProviderButton } from './provider-button.js';
import { SignInForm } from './sign-in-form.js';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  const t = useTexts('session');
  const queries = useQueryClient();
  const router = useRouter();
  const { to, problem } = route.useSearch();
  const { data: options } = useQuery(optionsQuery);
  const hasPasswords = options?.password ?? true;
  const problems: Readonly<Record<string, string>> = t.problems;
  const enter = () => {
    // Cached data and refused changes can belong to another person whose session has expired.
    forgetRefused();
    queries.clear();
    router.history.push(to ?? router.basepath);
  };
  return (
    <GuestPage title={t.title} subtitle={t.subtitle}>
      {problem !== undefined && (
        <Alert color="red" mb="md">
          {Object.hasOwn(problems, problem) ? problems[problem] : t.problems.other}
        </Alert>
      )}
      {options?.oidc && <ProviderButton to={to} />}
      {options?.oidc && hasPasswords && <Divider label={t.or} my="md" />}
      {hasPasswords && <SignInForm onDone={enter} />}
      {hasPasswords && <Hints sendsLinks={options?.password_links_by_email ?? false} />}
    </GuestPage>
  );
}

function Hints({ sendsLinks }: { readonly sendsLinks: boolean }) {
  const t = useTexts('session');
  return (
    <>
      <Dimmed mt="xl">{t.hint}</Dimmed>
      <Dimmed mt="xs">
        {sendsLinks ? (
          <Anchor component={Link} to="/forgot">
            {t.forgot}
          </Anchor>
        ) : (
          t.lost
        )}
      </Dimmed>
    </>
  );
}
