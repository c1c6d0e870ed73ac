import { createContext, type PropsWithChildren, useContext, useEffect, useState } from 'react';

const SECOND_MS = 1_000;

const NowContext = createContext(0);

/** One timer for all clocks in it. */
export function Ticking({ children }: PropsWithChildren) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return <NowContext value={now}>{children}</NowContext>;
}

/** The time of the clocks around, in milliseconds since 1970. */
export function useNow(): number {
  return useContext(NowContext);
}
