import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTexts } from '../../texts/texts.js';
import type { Key, Selection } from '../tables/use-selection.js';
import { runAll } from './run-all.js';

/** How far an action on several rows is. */
interface Progress {
  readonly done: number;
  readonly total: number;
}

interface Failure {
  readonly count: number;
  readonly total: number;
  /** Of the first row that failed. */
  readonly error: unknown;
}

export interface Bulk<Id extends Key = Key> {
  readonly progress: Progress | null;
  readonly failure: Failure | null;
  /** Rows that fail stay selected. */
  readonly run: (act: (id: Id) => Promise<unknown>) => Promise<void>;
  readonly clear: () => void;
}

/** @param settled reads the list again */
export function useBulk<Id extends Key>(selection: Selection<Id>, settled: () => Promise<unknown>): Bulk<Id> {
  const { bulk: t } = useTexts('common');
  const [progress, setProgress] = useState<Progress | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const run = async (act: (id: Id) => Promise<unknown>) => {
    const { ids } = selection;
    const total = ids.length;
    setFailure(null);
    setProgress({ done: 0, total });
    const failed = await runAll(ids, act, (done) => setProgress({ done, total }));
    selection.only(failed.map(({ item }) => item));
    const [first] = failed;
    if (first) setFailure({ count: failed.length, total, error: first.error });
    else notifications.show({ message: t.done(total), color: 'green', withCloseButton: false });
    await settled();
    setProgress(null);
  };
  const clear = () => {
    selection.only([]);
    setFailure(null);
  };
  return { progress, failure, run, clear };
}
