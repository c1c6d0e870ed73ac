import '@mantine/core/styles/Progress.layer.css';
import { Alert, Button, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Archive, Download } from 'lucide-react';
import { exportAccount, listAccountExports } from '#client/sdk.gen.js';
import type { AccountExportResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { Loaded } from '../../components/states/loaded.js';
import { Panel } from '../../components/page/panel.js';
import { Problem } from '../../components/states/problem.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';

const POLL_MS = 1_500;
const KEY = ['account-exports'];

/** Recent exports of the account, with a button for a new one. */
export function AccountExport() {
  const t = useTexts('settings').accountExport;
  const query = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await dataOf(listAccountExports, { signal })).data,
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'processing') ? POLL_MS : false,
  });
  const begin = useMutation({
    mutationFn: () => dataOf(exportAccount, {}),
    meta: { changes: [KEY] },
  });
  return (
    <Panel title={t.title} subtitle={t.text}>
      <Stack align="flex-start">
        <Loaded query={query} lines={2}>
          {(exports) => exports.map((made) => <State key={made.id} made={made} />)}
        </Loaded>
        {begin.error && <Problem error={begin.error} />}
        <Button
          variant="default"
          leftSection={<Archive size={16} aria-hidden="true" />}
          loading={begin.isPending}
          onClick={() => begin.mutate()}
        >
          {query.data?.length ? t.again : t.begin}
        </Button>
      </Stack>
    </Panel>
  );
}

const COLORS = { processing: 'iris', ready: 'green', failed: 'red' } as const;

function State({ made }: { readonly made: AccountExportResponse }) {
  const t = useTexts('settings').accountExport;
  const format = useFormat();
  const { id, status, failure, progress_percent: percent, bytes, created_at: begun } = made;
  return (
    <Alert color={COLORS[status]} w="100%" role="status" title={t.status[status]}>
      <Text size="sm">{t.begun(format.dateTime(begun))}</Text>
      {status === 'processing' && <Progress value={percent} mt="sm" aria-label={t.progress} />}
      {failure && <Text size="sm">{t.failures[failure]}</Text>}
      {status === 'ready' && (
        <>
          <Text size="sm">{t.kept}</Text>
          {/* A link, so that the browser writes the archive to the disk as it comes: it can have gigabytes. */}
          <Button
            component="a"
            href={`/api/user/privacy/account-exports/${id}/file`}
            download
            mt="sm"
            leftSection={<Download size={16} aria-hidden="true" />}
          >
            {bytes === null ? t.download : `${t.download} (${format.bytes(bytes)})`}
          </Button>
        </>
      )}
    </Alert>
  );
}
