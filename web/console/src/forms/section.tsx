import { Title } from '@mantine/core';
import type { PropsWithChildren, ReactNode } from 'react';
import { Dimmed } from '../components/dimmed.js';
import classes from './fields.module.css';

interface Props {
  readonly title: string;
  readonly hint?: ReactNode;
}

/** Fields that belong together, under a name. */
export function FormSection({ title, hint, children }: PropsWithChildren<Props>) {
  return (
    <section className={classes.section}>
      <div>
        <Title order={2} size="h3">
          {title}
        </Title>
        {hint && <Dimmed>{hint}</Dimmed>}
      </div>
      {children}
    </section>
  );
}

/** Fields side by side, as many as there is room for. */
export function FieldGrid({ children }: PropsWithChildren) {
  return <div className={classes.grid}>{children}</div>;
}
