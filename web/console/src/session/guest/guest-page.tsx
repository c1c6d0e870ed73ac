import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Logo } from '../../components/logo.js';
import { useDocumentTitle } from '../../components/page/use-document-title.js';
import classes from './guest-page.module.css';

interface GuestPageProps {
  readonly title: string;
  readonly subtitle: string;
  readonly children: ReactNode;
}

/** Frame of pages without a session. */
export function GuestPage({ title, subtitle, children }: GuestPageProps) {
  useDocumentTitle(title);
  return (
    <main className={classes.page}>
      <div className={classes.panel}>
        <Logo size={40} />
        <Title order={1} mt="lg">
          {title}
        </Title>
        <Text c="dimmed" mb="xl">
          {subtitle}
        </Text>
        {children}
      </div>
    </main>
  );
}
