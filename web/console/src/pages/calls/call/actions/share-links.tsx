import { Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listCallShares, revokeCallShare, shareCall } from '#client/sdk.gen.js';
import type { CallShareResponse } from '#client/types.gen.js';
import { dataOf } from '#web/console/src/api/client.js';
import { Copyable } from '#web/console/src/components/actions/copyable.jsx';
import { Problem } from '#web/console/src/components/states/problem.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { useFormat } from '#web/console/src/texts/use-format.js';

const DAYS = [1, 3, 7];
const LONGEST = 7;

/** Makes a link, and lists and revokes the valid ones. */
export function ShareLinks({ id }: { readonly id: number }) {
  const t = useTexts('callPage').share;
  const [days, setDays] = useState(LONGEST);
  const queryKey = ['call-shares', id];
  const shares = useQuery({
    queryKey,
    queryFn: ({ signal }) => dataOf(listCallShares, { path: { id }, signal }),
  });
  const make = useMutation({
    mutationFn: () => dataOf(shareCall, { path: { id }, body: { expires_in_days: days } }),
    meta: { changes: [queryKey] },
  });
  const revoke = useMutation({
    mutationFn: (shareId: number) => dataOf(revokeCallShare, { path: { id, shareId } }),
    meta: { changes: [queryKey] },
    onSuccess: (_done, shareId) => {
      if (make.data?.data.id === shareId) make.reset();
    },
  });
  const error = make.error ?? revoke.error;
  return (
    <Stack>
      <Text size="sm">{t.text}</Text>
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label={t.validFor}
          value={String(days)}
          data={DAYS.map((count) => ({ value: String(count), label: t.days(count) }))}
          onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
        />
        <Button loading={make.isPending} onClick={() => make.mutate()}>
          {t.create}
        </Button>
      </Group>
      {error && <Problem error={error} />}
      {make.data && <Copyable label={t.link} text={make.data.data.url} />}
      <ValidLinks shares={shares.data?.data ?? []} onRevoke={revoke.mutate} />
    </Stack>
  );
}

interface ValidLinksProps {
  readonly shares: readonly CallShareResponse[];
  readonly onRevoke: (id: number) => void;
}

function ValidLinks({ shares, onRevoke }: ValidLinksProps) {
  const t = useTexts('callPage').share;
  const format = useFormat();
  if (shares.length === 0) return null;
  return (
    <section>
      <Title order={3} mb="xs">
        {t.validLinks}
      </Title>
      <Stack gap="xs">
        {shares.map(({ id, created_at: createdAt, expires_at: expiresAt }) => (
          <Group key={id} justify="space-between" gap="sm" wrap="nowrap">
            <Text size="sm">{t.made(format.dateTime(createdAt), format.dateTime(expiresAt))}</Text>
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              aria-label={t.revokeOf(format.dateTime(createdAt))}
              onClick={() => onRevoke(id)}
            >
              {t.revoke}
            </Button>
          </Group>
        ))}
      </Stack>
    </section>
  );
}
