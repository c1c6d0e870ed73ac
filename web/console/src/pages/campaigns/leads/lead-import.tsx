import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { importLeads, listLeadImports, readLeadColumns } from '#client/sdk.gen.js';
import type { LeadImportResponse } from '#client/types.gen.js';
import { Dimmed } from '../../../components/dimmed.js';
import { dataOf } from '../../../api/client.js';
import { FileDrop } from '../../../components/inputs/file-drop.js';
import { Panel } from '../../../components/page/panel.js';
import { Problem } from '../../../components/states/problem.js';
import { useLanguage, useTexts } from '../../../texts/texts.js';
import { useFormat } from '../../../texts/use-format.js';
import { ColumnMapping, useMappingIssue } from './column-mapping.js';
import { beginningOf, guessed, type LeadFile, namesOf } from './file-columns.js';
import { ImportPreview } from './import-preview.js';
import { ImportResult } from './import-result.js';

const POLL_MS = 1_500;
const ACCEPTED =
  '.csv,.tsv,.txt,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

interface Props {
  readonly campaignId: number;
  readonly onDone?: (result: LeadImportResponse) => void;
}

/** Import of contacts: choice of the file, mapping of columns, result. */
export function LeadImport({ campaignId, onDone }: Props) {
  const { import: t } = useTexts('campaigns');
  const [chosen, setChosen] = useState<LeadFile | null>(null);
  const [result, setResult] = useState<LeadImportResponse | null>(null);
  const read = useMutation({
    mutationFn: (file: File) => readFile(campaignId, file),
    onSuccess: setChosen,
  });
  const choose = (file: File) => {
    setResult(null);
    read.mutate(file);
  };
  const finish = (done: LeadImportResponse) => {
    setResult(done);
    setChosen(null);
    onDone?.(done);
  };
  return (
    <>
      {result && <ImportResult result={result} />}
      {chosen ? (
        <Mapping
          key={chosen.file.name + chosen.file.lastModified}
          campaignId={campaignId}
          chosen={chosen}
          onDone={finish}
          onOther={() => setChosen(null)}
        />
      ) : (
        <FileDrop
          accept={ACCEPTED}
          title={t.drop}
          hint={t.hint}
          action={t.choose}
          onFiles={([file]) => file && choose(file)}
        />
      )}
      {read.error && (
        <Alert color="red" mt="sm" role="alert">
          {t.unreadable}
        </Alert>
      )}
    </>
  );
}

async function readFile(campaignId: number, file: File): Promise<LeadFile> {
  const beginning = await beginningOf(file);
  const { data } = await dataOf(readLeadColumns, { path: { id: campaignId }, body: { file: beginning } });
  return { file, beginning, columns: guessed(data), firstRowIsLead: data.first_row_is_lead };
}

interface MappingProps {
  readonly campaignId: number;
  readonly chosen: LeadFile;
  readonly onDone: (result: LeadImportResponse) => void;
  readonly onOther: () => void;
}

function Mapping({ campaignId, chosen, onDone, onOther }: MappingProps) {
  const { import: t } = useTexts('campaigns');
  const format = useFormat();
  const { file, beginning, firstRowIsLead } = chosen;
  const [columns, setColumns] = useState(chosen.columns);
  const [takesDuplicates, setTakesDuplicates] = useState(false);
  const { send, rows } = useImport(campaignId, onDone);
  const issue = useMappingIssue(columns);
  const order = { names: namesOf(columns), hasHeader: !firstRowIsLead, takesDuplicates };
  return (
    <Panel
      flush
      title={t.file(file.name)}
      actions={
        <Button variant="subtle" size="xs" onClick={onOther} disabled={send.isPending}>
          {t.other}
        </Button>
      }
    >
      <ColumnMapping columns={columns} onChange={setColumns} />
      <Stack p="md" gap="md">
        {firstRowIsLead && <Text size="sm">{t.firstRowIsLead}</Text>}
        {issue === null && <ImportPreview campaignId={campaignId} file={beginning} {...order} />}
        <Group justify="space-between">
          <Checkbox
            label={t.duplicates}
            checked={takesDuplicates}
            onChange={(event) => setTakesDuplicates(event.currentTarget.checked)}
          />
          <Group gap="sm">
            {issue && (
              <Text size="sm" c="red" role="alert">
                {issue}
              </Text>
            )}
            {send.isPending && rows !== undefined && <Dimmed>{t.running(format.number(rows), rows)}</Dimmed>}
            <Button
              disabled={issue !== null}
              loading={send.isPending}
              onClick={() => send.mutate({ file, ...order })}
            >
              {t.submit}
            </Button>
          </Group>
        </Group>
        {send.error && <Problem error={send.error} />}
      </Stack>
    </Panel>
  );
}

interface ImportOrder {
  readonly file: File;
  readonly names: readonly string[];
  readonly hasHeader: boolean;
  readonly takesDuplicates: boolean;
}

function useImport(campaignId: number, onDone: (result: LeadImportResponse) => void) {
  const queries = useQueryClient();
  const { language } = useLanguage();
  const send = useMutation({
    mutationFn: async ({ file, names, hasHeader, takesDuplicates }: ImportOrder) =>
      (
        await dataOf(importLeads, {
          path: { id: campaignId },
          body: { columns: JSON.stringify(names), file },
          query: { allow_dupplicate: takesDuplicates, header: hasHeader, language },
        })
      ).data,
    onSuccess: (result) => {
      onDone(result);
      void queries.invalidateQueries({ queryKey: ['campaigns'] });
      void queries.invalidateQueries({ queryKey: ['leads', campaignId] });
    },
  });
  // The answer comes at the end. Until then the list of imports has the progress.
  const { data: running } = useQuery({
    queryKey: ['lead-imports', campaignId],
    queryFn: ({ signal }) => dataOf(listLeadImports, { path: { id: campaignId }, signal }),
    enabled: send.isPending,
    refetchInterval: POLL_MS,
    staleTime: 0,
  });
  return { send, rows: running?.[0]?.status === 'processing' ? running[0].rows : undefined };
}
