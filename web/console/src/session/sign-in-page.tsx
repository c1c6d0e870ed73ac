import { Anchor, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useTexts } from '../texts/texts.js';
import { GuestPage } from './guest-page.js';
import { optionsQuery } from './options.js';
import { SignInForm } from './sign-in-form.js';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  const t = useTexts('session');
  const queries = useQueryClient();
  const router = useRouter();
  const { to } = route.useSearch();
  const { data: options } = useQuery(optionsQuery);
  const enter = () => {
    // Cached data can belong to another person whose session has expired.
    queries.clear();
    router.history.push(to ?? router.basepath);
  };
  return (
    <GuestPage title={t.title} subtitle={t.subtitle}>
      <SignInForm onDone={enter} />
      <Text size="sm" c="dimmed" mt="xl">
        {t.hint}
      </Text>
      <Text size="sm" c="dimmed" mt="xs">
        {options?.password_links_by_email ? (
          <Anchor component={Link} to="/forgot">
            {t.forgot}
          </Anchor>
        ) : (
          t.lost
        )}
      </Text>
    </GuestPage>
  );
}
