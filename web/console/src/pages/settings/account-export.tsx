import '@mantine/core/styles/Progress.layer.css';
import { Alert, Button, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Archive, Download } from 'lucide-react';
import { exportAccount, getAccountExport } from '../../../../../clients/typescript/src/sdk.gen.js';
import type { AccountExportResponse } from '../../../../../clients/typescript/src/types.gen.js';
import { dataOf } from '../../api/client.js';
import { Loaded } from '../../components/loaded.js';
import { Panel } from '../../components/panel.js';
import { Problem } from '../../components/problem.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';

const route = getRouteApi('/shell/settings');
const POLL_MS = 1_500;
const keyOf = (id: number) => ['account-exports', id];

/** Everything that the account has, as a file. Which export is shown stands in the URL, so that it is found again. */
export function AccountExport() {
  const t = useTexts('settings').accountExport;
  const queries = useQueryClient();
  const { export: shown } = route.useSearch();
  const navigate = route.useNavigate();
  const begin = useMutation({
    mutationFn: () => dataOf(exportAccount({ throwOnError: true })),
    onSuccess: ({ data }) => {
      queries.setQueryData(keyOf(data.id), data);
      return navigate({ search: { export: data.id }, resetScroll: false });
    },
  });
  return (
    <Panel title={t.title} subtitle={t.text}>
      <Stack align="flex-start">
        {shown !== undefined && <Shown id={shown} />}
        {begin.error && <Problem error={begin.error} />}
        <Button
          variant="default"
          leftSection={<Archive size={16} aria-hidden="true" />}
          loading={begin.isPending}
          onClick={() => begin.mutate()}
        >
          {shown === undefined ? t.begin : t.again}
        </Button>
      </Stack>
    </Panel>
  );
}

function Shown({ id }: { readonly id: number }) {
  const query = useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => dataOf(getAccountExport({ path: { id }, signal, throwOnError: true })),
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? POLL_MS : false),
  });
  return (
    <Loaded query={query} lines={2}>
      {(data) => <State made={data} />}
    </Loaded>
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
