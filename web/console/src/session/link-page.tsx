import { Alert, Anchor, Text, Title } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Logo } from '../components/logo.js';
import { useDocumentTitle } from '../components/page/use-document-title.js';
import classes from './sign-in-page.module.css';

interface LinkPageProps {
  readonly texts: {
    readonly title: string;
    readonly subtitle: string;
    readonly noToken: string;
    readonly signIn: string;
  };
  /** What is shown for the token of the link. */
  readonly children: (token: string) => ReactNode;
}

/** A page for people who are not signed in, opened by a link that has a token in its fragment. */
export function LinkPage({ texts, children }: LinkPageProps) {
  const token = useRouterState({ select: ({ location }) => location.hash });
  useDocumentTitle(texts.title);
  return (
    <main className={classes.page}>
      <div className={classes.panel}>
        <Logo size={40} />
        <Title order={1} mt="lg">
          {texts.title}
        </Title>
        <Text c="dimmed" mb="xl">
          {texts.subtitle}
        </Text>
        {token === '' ? <Alert color="red">{texts.noToken}</Alert> : children(token)}
        <Text size="sm" ta="center" mt="xl">
          <Anchor component={Link} to="/sign-in">
            {texts.signIn}
          </Anchor>
        </Text>
      </div>
    </main>
  );
}
