import { Text } from '@mantine/core';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useTexts } from '../texts/texts.js';
import { GuestPage } from './guest-page.js';
import { SignInForm } from './sign-in-form.js';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  const t = useTexts('session');
  const router = useRouter();
  const { to } = route.useSearch();
  return (
    <GuestPage title={t.title} subtitle={t.subtitle}>
      <SignInForm onDone={() => router.history.push(to ?? router.basepath)} />
      <Text size="sm" c="dimmed" mt="xl">
        {t.hint}
      </Text>
      <Text size="sm" c="dimmed" mt="xs">
        {t.lost}
      </Text>
    </GuestPage>
  );
}
