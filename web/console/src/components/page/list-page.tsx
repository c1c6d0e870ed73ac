import { Group } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { EmptyState } from '../states/empty-state.js';
import { Loaded } from '../states/loaded.js';
import { Page } from './page.js';

interface Props<Item> {
  readonly texts: {
    readonly title: string;
    readonly subtitle: string;
    readonly none: { readonly title: string; readonly text: string };
  };
  readonly icon: LucideIcon;
  readonly query: ComponentProps<typeof Loaded<readonly Item[]>>['query'];
  /** Buttons that add to the list. */
  readonly actions: ReactNode;
  readonly children: (all: readonly Item[]) => ReactNode;
}

/** A page of a list. An empty list says what it will contain. */
export function ListPage<Item>({ texts: t, icon, query, actions, children }: Props<Item>) {
  return (
    <Page title={t.title} subtitle={t.subtitle} actions={actions}>
      <Loaded query={query}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={icon} title={t.none.title} action={<Group gap="sm">{actions}</Group>}>
              {t.none.text}
            </EmptyState>
          ) : (
            children(all)
          )
        }
      </Loaded>
    </Page>
  );
}
