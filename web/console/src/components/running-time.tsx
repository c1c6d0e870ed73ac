import { useEffect, useState } from 'react';
import { useFormat } from '../texts/use-format.js';

const SECOND_MS = 1_000;

/** How long something has lasted, each second. */
export function RunningTime({ since }: { readonly since: string }) {
  const format = useFormat();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return <span className="tabular">{format.duration((now - Date.parse(since)) / SECOND_MS)}</span>;
}
