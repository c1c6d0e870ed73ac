import { useEffect, useState } from 'react';
import { type Peaks, readPeaks } from './peaks.js';

/** The waveform of a recording, as far as it is computed; null where the browser cannot decode it. */
export function usePeaks(url: string): Peaks | null {
  const [known, setKnown] = useState<{ readonly url: string; readonly peaks: Peaks } | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    // Without the waveform the recording is played all the same.
    readPeaks(url, stop.signal, (peaks) => setKnown({ url, peaks })).catch(() => undefined);
    return () => stop.abort();
  }, [url]);
  return known?.url === url ? known.peaks : null;
}
