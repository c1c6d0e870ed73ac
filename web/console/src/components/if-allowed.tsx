import type { PropsWithChildren } from 'react';
import { type Scope, useIsAllowed } from '../session/rights.js';
import classes from './if-allowed.module.css';

type Props = PropsWithChildren<{ readonly scope: Scope }>;

/** Shows an action to people who have the right to it. */
export function IfAllowed({ scope, children }: Props) {
  return useIsAllowed(scope) && children;
}

/** Fields that are read-only for people without the right to change them. */
export function Editable({ scope, children }: Props) {
  return (
    <fieldset className={classes.plain} disabled={!useIsAllowed(scope)}>
      {children}
    </fieldset>
  );
}
