import type { PropsWithChildren } from 'react';
import table from './data-table.module.css';

/** Lets a wide table be scrolled on a narrow screen, by keyboard too. */
export function TableScroll({ name, children }: PropsWithChildren<{ readonly name: string }>) {
  return (
    <div className={table.scroll} role="region" aria-label={name} tabIndex={0}>
      {children}
    </div>
  );
}
