import { Text, Title } from '@mantine/core';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { Logo } from '../components/logo.js';
import { useDocumentTitle } from '../components/page/use-document-title.js';
import { useTexts } from '../texts/texts.js';
import { SignInForm } from './sign-in-form.js';
import classes from './sign-in-page.module.css';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  const t = useTexts('session');
  const router = useRouter();
  const { to } = route.useSearch();
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
        <SignInForm onDone={() => router.history.push(to ?? router.basepath)} />
        <Text size="sm" c="dimmed" mt="xl">
          {t.hint}
        </Text>
        <Text size="sm" c="dimmed" mt="xs">
          {t.lost}
        </Text>
      </div>
    </main>
  );
}
