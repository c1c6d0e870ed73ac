import type { PropsWithChildren } from 'react';
import table from './data-table.module.css';

/** Makes a wide table scrollable on narrow screens, also by keyboard. */
export function TableScroll({ name, children }: PropsWithChildren<{ readonly name: string }>) {
  return (
    <div className={table.scroll} role="region" aria-label={name} tabIndex={0}>
      {children}
    </div>
  );
}
