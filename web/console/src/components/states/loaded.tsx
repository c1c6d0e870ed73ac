import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Problem } from './problem.js';

interface Query<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

interface Props<Data> {
  readonly query: Query<Data>;
  /** Number of placeholder lines while loading. */
  readonly lines?: number;
  readonly children: (data: Data) => ReactNode;
}

/** Shows the result of a query: a placeholder while loading, or the failure. */
export function Loaded<Data>({ query, lines = 5, children }: Props<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <Problem error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <Stack gap="sm" p="md" aria-busy="true">
      {Array.from({ length: lines }, (_, index) => (
        <Skeleton key={index} height={18} width={`${92 - ((index * 17) % 40)}%`} />
      ))}
    </Stack>
  );
}
