import type { PropsWithChildren } from 'react';
import { type Scope, useMay } from '../session/rights.js';
import classes from './may.module.css';

type Props = PropsWithChildren<{ readonly scope: Scope }>;

/** An action that is offered to whoever may take it. */
export function May({ scope, children }: Props) {
  return useMay(scope) && children;
}

/** Fields that whoever may not change them can still read. */
export function Editable({ scope, children }: Props) {
  return (
    <fieldset className={classes.plain} disabled={!useMay(scope)}>
      {children}
    </fieldset>
  );
}
