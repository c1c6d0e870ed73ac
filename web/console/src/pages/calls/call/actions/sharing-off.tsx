import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { updateSettings } from '#client/sdk.gen.js';
import { dataOf } from '#web/console/src/api/client.js';
import { Problem } from '#web/console/src/components/states/problem.jsx';
import { settingsQuery } from '#web/console/src/session/me.js';
import { useIsAllowed } from '#web/console/src/session/rights.js';
import { useTexts } from '#web/console/src/texts/texts.jsx';

/** The account has not switched sharing on. Administrators can. */
export function SharingOff() {
  const t = useTexts('callPage').share;
  const mayChange = useIsAllowed('admin');
  const queries = useQueryClient();
  const turnOn = useMutation({
    mutationFn: () => dataOf(updateSettings, { body: { call_sharing: true } }),
    onSuccess: ({ data }) => queries.setQueryData(settingsQuery.queryKey, data),
  });
  return (
    <>
      <Text size="sm">{mayChange ? t.offText : t.offForMembers}</Text>
      {turnOn.error && <Problem error={turnOn.error} />}
      {mayChange && (
        <Group justify="flex-end" mt="lg">
          <Button loading={turnOn.isPending} onClick={() => turnOn.mutate()}>
            {t.turnOn}
          </Button>
        </Group>
      )}
    </>
  );
}
