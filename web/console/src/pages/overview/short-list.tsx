import { Anchor } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { Dimmed } from '../../components/dimmed.js';
import { Panel } from '../../components/page/panel.js';
import { Loaded } from '../../components/states/loaded.js';
import classes from './overview.module.css';

interface Item {
  readonly id: number | string;
}

interface Props<Row extends Item> {
  readonly texts: { readonly title: string; readonly all: string; readonly none: string };
  readonly all: Pick<LinkProps, 'to' | 'search'>;
  readonly query: ComponentProps<typeof Loaded<{ readonly data: readonly Row[] }>>['query'];
  /** Items above those of the query. */
  readonly first?: ReactNode;
  readonly children: (row: Row) => ReactNode;
}

/** The first items of a list, with a link to all of it. */
export function ShortList<Row extends Item>({ texts: t, all, query, first, children }: Props<Row>) {
  return (
    <Panel
      title={t.title}
      flush
      actions={
        <Anchor size="sm" renderRoot={(props) => <Link {...all} {...props} />}>
          {t.all}
        </Anchor>
      }
    >
      <Loaded query={query}>
        {({ data }) => (
          <ul className={classes.list}>
            {first}
            {data.map((row) => (
              <li key={row.id}>{children(row)}</li>
            ))}
            {data.length === 0 && (
              <li>
                <Dimmed className={classes.nothing}>{t.none}</Dimmed>
              </li>
            )}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}
