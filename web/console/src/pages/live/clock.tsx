import { VisuallyHidden } from '@mantine/core';
import { createContext, type PropsWithChildren, useContext, useEffect, useState } from 'react';
import { useFormat } from '../../texts/use-format.js';

const SECOND_MS = 1_000;

const NowContext = createContext(0);

/** One timer for all clocks of a list. */
export function Ticking({ children }: PropsWithChildren) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return <NowContext value={now}>{children}</NowContext>;
}

interface Props {
  readonly name: string;
  /** Otherwise for screen readers only. */
  readonly isNameShown?: boolean;
  readonly since: string;
}

/** How long something has lasted. */
export function Clock({ name, isNameShown, since }: Props) {
  const format = useFormat();
  const seconds = (useContext(NowContext) - Date.parse(since)) / SECOND_MS;
  return (
    <span className="tabular">
      {isNameShown ? `${name}: ` : <VisuallyHidden>{name}: </VisuallyHidden>}
      {format.duration(seconds)}
    </span>
  );
}
