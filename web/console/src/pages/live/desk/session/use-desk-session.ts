import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { getCall, monitorCall } from '#client/sdk.gen.js';
import { dataOf } from '#web/console/src/api/client.js';
import { type DeskLines, linesOf } from './desk-lines.js';
import { DeskSession } from './desk-session.js';

/** Listens to a call while the component is shown. Null before the first effect. */
export function useDeskSession(callId: number): DeskSession | null {
  // As a mutation, so that an ended session opens its dialog.
  const { mutateAsync: grant } = useMutation({
    mutationFn: async (id: number) => {
      const { data } = await dataOf(monitorCall, { path: { id } });
      return data;
    },
  });
  const [session, setSession] = useState<DeskSession | null>(null);
  useEffect(() => {
    const opened = new DeskSession(callId, {
      grant: () => grant(callId),
      history: () => historyOf(callId),
    });
    setSession(opened);
    void opened.open();
    return () => opened.close();
  }, [callId, grant]);
  return session;
}

async function historyOf(id: number): Promise<DeskLines> {
  try {
    return linesOf((await dataOf(getCall, { path: { id } })).turns);
  } catch {
    return [];
  }
}
