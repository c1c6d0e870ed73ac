import { Group, Text, Title } from '@mantine/core';
import type { PropsWithChildren, ReactNode } from 'react';
import classes from './page.module.css';
import { useDocumentTitle } from './use-document-title.js';

interface Props {
  readonly title: string;
  /** Purpose of the page, in one sentence. */
  readonly subtitle?: ReactNode;
  /** Buttons to the right of the title. */
  readonly actions?: ReactNode;
  /** Uses the full width, for tables with many columns. */
  readonly wide?: boolean;
}

/** Frame of a page: title, actions, content of a readable width. */
export function Page({ title, subtitle, actions, wide, children }: PropsWithChildren<Props>) {
  useDocumentTitle(title);
  return (
    <div className={classes.page} data-wide={wide || undefined}>
      <header className={classes.header}>
        <div>
          <Title order={1}>{title}</Title>
          {subtitle && (
            <Text component="div" c="dimmed" mt={2}>
              {subtitle}
            </Text>
          )}
        </div>
        {actions && <Group gap="sm">{actions}</Group>}
      </header>
      {children}
    </div>
  );
}
