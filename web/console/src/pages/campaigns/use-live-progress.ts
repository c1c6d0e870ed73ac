import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { getCampaignProgress } from '#client/sdk.gen.js';
import type { CampaignProgressResponse } from '#client/types.gen.js';
import { eventsOf } from '#web/shared/server-events.js';
import { ApiError } from '../../api/api-error.js';
import { dataOf } from '../../api/client.js';
import { useExpired } from '../../session/expiry.js';
import { progressQuery } from './queries.js';

const RECONNECT_MS = 3_000;

/** Progress of a campaign: read once, then streamed while it runs. */
export function useLiveProgress(id: number, isRunning: boolean) {
  const queries = useQueryClient();
  const progress = useQuery(progressQuery(id));
  const [isBroken, setBroken] = useState(false);
  // Without a session every try is refused; the next session begins at once.
  const isExpired = useExpired();
  const isFollowed = isRunning && !isExpired;
  useEffect(() => {
    if (!isFollowed) return;
    const stop = new AbortController();
    void watch(queries, id, stop.signal, setBroken);
    return () => stop.abort();
  }, [queries, id, isFollowed]);
  return { progress, isBroken: isBroken && isRunning };
}

/** Follows the progress until the campaign has ended. Reconnects when a stream ends before it. */
async function watch(
  queries: QueryClient,
  id: number,
  signal: AbortSignal,
  setBroken: (isBroken: boolean) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      if (await follow(queries, id, signal, () => setBroken(false))) {
        await queries.invalidateQueries({ queryKey: ['campaigns'] });
        return;
      }
    } catch (error) {
      if (signal.aborted) return;
      const isDeleted = error instanceof ApiError && error.status === 404;
      setBroken(!isDeleted);
      if (isDeleted) return;
    }
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
    void queries.invalidateQueries({ queryKey: ['campaigns', id] });
  }
}

/** @returns whether the campaign no longer runs */
async function follow(
  queries: QueryClient,
  id: number,
  signal: AbortSignal,
  onEvent: () => void,
): Promise<boolean> {
  const body = await dataOf(getCampaignProgress, {
    path: { id },
    headers: { Accept: 'text/event-stream' },
    parseAs: 'stream',
    signal,
  });
  let calls = -1;
  let isRunning = true;
  for await (const { name, data } of eventsOf(body as unknown as ReadableStream<Uint8Array>)) {
    onEvent();
    // Also comes after half an hour.
    if (name === 'end') return !isRunning;
    if (name !== 'progress') continue;
    const progress = data as CampaignProgressResponse;
    isRunning = progress.status === 'in-progress';
    queries.setQueryData(progressQuery(id).queryKey, progress);
    const moved = progress.attempts.total + progress.leads.completed + progress.leads.reached_max_retries;
    if (moved !== calls) void queries.invalidateQueries({ queryKey: ['leads', id] });
    calls = moved;
  }
  return false;
}
