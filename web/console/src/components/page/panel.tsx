import { Title } from '@mantine/core';
import type { PropsWithChildren, ReactNode } from 'react';
import { Dimmed } from '../dimmed.js';
import classes from './panel.module.css';

interface Props {
  /** Target of links. */
  readonly id?: string;
  readonly title?: ReactNode;
  readonly subtitle?: ReactNode;
  readonly actions?: ReactNode;
  /** Without padding, for tables and lists. */
  readonly flush?: boolean;
}

/** A framed part of a page. */
export function Panel({ id, title, subtitle, actions, flush, children }: PropsWithChildren<Props>) {
  return (
    <section id={id} className={classes.panel}>
      {(title || actions) && (
        <header className={classes.header}>
          <div>
            {title && <Title order={2}>{title}</Title>}
            {subtitle && <Dimmed>{subtitle}</Dimmed>}
          </div>
          {actions}
        </header>
      )}
      <div className={classes.body} data-flush={flush || undefined}>
        {children}
      </div>
    </section>
  );
}
