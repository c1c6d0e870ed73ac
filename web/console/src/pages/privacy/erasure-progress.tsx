import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getErasure } from '#client/sdk.gen.js';
import type { ErasureResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { Loaded } from '../../components/states/loaded.js';
import { ownText } from '../../texts/own-text.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';

const POLL_MS = 1_500;
const COLORS = { processing: 'iris', completed: 'green', failed: 'red' } as const;

/** Progress of an erasure. */
export function ErasureProgress({ id }: { readonly id: number }) {
  const erasure = useQuery({
    queryKey: ['erasures', id],
    queryFn: ({ signal }) => dataOf(getErasure, { path: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? POLL_MS : false),
  });
  return (
    <Loaded query={erasure} lines={2}>
      {(data) => <Erasure erasure={data} />}
    </Loaded>
  );
}

function Erasure({
  erasure: { status, waiting, erased, created_at: begun },
}: {
  readonly erasure: ErasureResponse;
}) {
  const t = useTexts('privacy').erasure;
  const format = useFormat();
  const counts = Object.entries(erased).filter(([, count]) => count > 0);
  return (
    <Alert color={COLORS[status]} mt="md" role="status" title={t.status[status]}>
      <Text size="sm">{t.begun(format.dateTime(begun))}</Text>
      {waiting && <Text size="sm">{t.waiting}</Text>}
      {status === 'failed' && <Text size="sm">{t.failedText}</Text>}
      {counts.length > 0 && (
        <Text size="sm">
          {counts.map(([kind, count]) => `${ownText(t.kinds, kind)}: ${format.number(count)}`).join(' · ')}
        </Text>
      )}
      {counts.length === 0 && status === 'completed' && <Text size="sm">{t.nothing}</Text>}
    </Alert>
  );
}
