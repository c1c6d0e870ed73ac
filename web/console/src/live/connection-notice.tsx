import { Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTexts } from '../texts/texts.js';
import classes from './connection-notice.module.css';
import { useIsBroken } from './live-hints.js';

/** A stream that is opened anew at once is nothing that a reader has to know. */
const PATIENCE_MS = 2_500;

/** Says over the page that the server is away, and that nothing is lost by it; until it is there again. */
export function ConnectionNotice() {
  const t = useTexts('shell');
  const isBroken = useIsBroken();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isBroken) return undefined;
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isBroken]);
  return (
    <div role="status" className={classes.place}>
      {isBroken && isLong && (
        <p className={classes.notice}>
          <Loader size={14} color="currentcolor" aria-hidden="true" />
          {t.broken}
        </p>
      )}
    </div>
  );
}
