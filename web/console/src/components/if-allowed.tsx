import { createContext, type PropsWithChildren, useContext } from 'react';
import { type Scope, useIsAllowed } from '../session/rights.js';
import classes from './if-allowed.module.css';

type Props = PropsWithChildren<{ readonly scope: Scope }>;

/** Shows an action to people who have the right to it. */
export function IfAllowed({ scope, children }: Props) {
  return useIsAllowed(scope) && children;
}

const ReadOnlyContext = createContext(false);

/** Fields that are read-only for people without the right to change them. */
export function Editable({ scope, children }: Props) {
  const isReadOnly = !useIsAllowed(scope);
  return (
    <ReadOnlyContext value={isReadOnly}>
      <fieldset className={classes.plain} disabled={isReadOnly}>
        {children}
      </fieldset>
    </ReadOnlyContext>
  );
}

/** For fields that are no inputs of the browser: `fieldset` does not disable them. */
export function useIsReadOnly(): boolean {
  return useContext(ReadOnlyContext);
}
