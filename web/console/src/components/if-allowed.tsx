import type { PropsWithChildren } from 'react';
import { type Scope, useMay } from '../session/rights.js';
import classes from './if-allowed.module.css';

type Props = PropsWithChildren<{ readonly scope: Scope }>;

/** Shows an action to people who have the right to it. */
export function May({ scope, children }: Props) {
  return useMay(scope) && children;
}

/** Fields that are read-only for people without the right to change them. */
export function Editable({ scope, children }: Props) {
  return (
    <fieldset className={classes.plain} disabled={!useMay(scope)}>
      {children}
    </fieldset>
  );
}
