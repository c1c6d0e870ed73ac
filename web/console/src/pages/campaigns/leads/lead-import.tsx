import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Table.layer.css';
import { Alert, Button, Checkbox, Group, Select, Table, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { importLeads, listLeadImports } from '../../../../../../clients/typescript/src/sdk.gen.js';
import type { LeadImportResponse } from '../../../../../../clients/typescript/src/types.gen.js';
import { dataOf } from '../../../api/client.js';
import { FileDrop } from '../../../components/inputs/file-drop.js';
import table from '../../../components/tables/list-table.module.css';
import { Panel } from '../../../components/page/panel.js';
import { Problem } from '../../../components/states/problem.js';
import { useTexts } from '../../../texts/texts.js';
import { useFormat } from '../../../texts/use-format.js';
import { type Column, type CsvFile, type Meaning, readHeader, withMeanings } from './csv-header.js';

const POLL_MS = 1_500;
const MEANINGS: readonly Meaning[] = ['phone', 'variable', 'contact', 'ignore'];

interface Props {
  readonly campaignId: number;
  readonly onDone?: () => void;
}

/** A CSV file, what its columns mean, and what became of its rows. */
export function LeadImport({ campaignId, onDone }: Props) {
  const { import: t } = useTexts('campaigns');
  const [csv, setCsv] = useState<CsvFile | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [result, setResult] = useState<LeadImportResponse | null>(null);
  const choose = async (file: File) => {
    setResult(null);
    try {
      const read = await readHeader(file);
      setCsv(read);
      setRefusal(read ? null : t.empty);
    } catch {
      setCsv(null);
      setRefusal(t.unreadable);
    }
  };
  const finish = (done: LeadImportResponse) => {
    setResult(done);
    setCsv(null);
    onDone?.();
  };
  return (
    <>
      {result && <ImportResult result={result} />}
      {csv ? (
        <Mapping
          key={csv.file.name + csv.file.lastModified}
          campaignId={campaignId}
          csv={csv}
          onDone={finish}
          onOther={() => setCsv(null)}
        />
      ) : (
        <FileDrop
          accept=".csv,text/csv"
          title={t.drop}
          hint={t.hint}
          action={t.choose}
          onFiles={([file]) => file && void choose(file)}
        />
      )}
      {refusal && (
        <Alert color="red" mt="sm" role="alert">
          {refusal}
        </Alert>
      )}
    </>
  );
}

interface MappingProps {
  readonly campaignId: number;
  readonly csv: CsvFile;
  readonly onDone: (result: LeadImportResponse) => void;
  readonly onOther: () => void;
}

function Mapping({ campaignId, csv, onDone, onOther }: MappingProps) {
  const { import: t } = useTexts('campaigns');
  const format = useFormat();
  const [columns, setColumns] = useState(csv.columns);
  const [takesDuplicates, setTakesDuplicates] = useState(false);
  const { send, rows } = useImport(campaignId, onDone);
  const issue = useMappingIssue(columns);
  const edit = (at: number, part: Partial<Column>) =>
    setColumns(columns.map((column, other) => (other === at ? { ...column, ...part } : column)));
  return (
    <Panel
      flush
      title={t.file(csv.file.name)}
      actions={
        <Button variant="subtle" size="xs" onClick={onOther} disabled={send.isPending}>
          {t.other}
        </Button>
      }
    >
      <div className={table.scroll}>
        <Table className={table.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.column}</Table.Th>
              <Table.Th>{t.meaning}</Table.Th>
              <Table.Th>{t.name}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {columns.map((column, at) => (
              <MappingRow key={at} column={column} onEdit={(part) => edit(at, part)} />
            ))}
          </Table.Tbody>
        </Table>
      </div>
      <Group justify="space-between" p="md">
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
          {send.isPending && rows !== undefined && (
            <Text size="sm" c="dimmed">
              {t.running(format.number(rows))}
            </Text>
          )}
          <Button
            disabled={issue !== null}
            loading={send.isPending}
            onClick={() => send.mutate({ file: withMeanings(csv, columns), takesDuplicates })}
          >
            {t.submit}
          </Button>
        </Group>
      </Group>
      {send.error && (
        <Group px="md">
          <Problem error={send.error} />
        </Group>
      )}
    </Panel>
  );
}

function MappingRow({ column, onEdit }: { column: Column; onEdit: (part: Partial<Column>) => void }) {
  const { import: t } = useTexts('campaigns');
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={500}>{column.name}</Text>
        <Text size="xs" c="dimmed" lineClamp={1}>
          {column.sample}
        </Text>
      </Table.Td>
      <Table.Td>
        <Select
          aria-label={`${t.meaning}: ${column.name}`}
          data={MEANINGS.map((value) => ({ value, label: t.meanings[value] }))}
          value={column.meaning}
          allowDeselect={false}
          miw="9rem"
          onChange={(meaning) => onEdit({ meaning: meaning ?? 'ignore' })}
        />
      </Table.Td>
      <Table.Td>
        {column.meaning === 'variable' && (
          <TextInput
            aria-label={`${t.name}: ${column.name}`}
            value={column.variable}
            miw="9rem"
            onChange={(event) => onEdit({ variable: event.currentTarget.value })}
          />
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** Why the file cannot be sent with these meanings. */
function useMappingIssue(columns: readonly Column[]): string | null {
  const { import: t } = useTexts('campaigns');
  const phones = columns.filter(({ meaning }) => meaning === 'phone').length;
  if (phones === 0) return t.needsPhone;
  if (phones > 1) return t.onePhone;
  const names = columns
    .filter(({ meaning }) => meaning === 'variable')
    .map(({ variable }) => variable.trim());
  if (names.includes('')) return t.noName;
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  return twice === undefined ? null : t.twice(twice);
}

function useImport(campaignId: number, onDone: (result: LeadImportResponse) => void) {
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: async ({ file, takesDuplicates }: { file: File; takesDuplicates: boolean }) =>
      (
        await dataOf(
          importLeads({
            path: { id: campaignId },
            body: { file },
            query: { allow_dupplicate: takesDuplicates },
            throwOnError: true,
          }),
        )
      ).data,
    onSuccess: (result) => {
      onDone(result);
      void queries.invalidateQueries({ queryKey: ['campaigns'] });
      void queries.invalidateQueries({ queryKey: ['leads', campaignId] });
    },
  });
  // The answer comes when all of it is read; until then the list of imports says how far it is.
  const { data: running } = useQuery({
    queryKey: ['lead-imports', campaignId],
    queryFn: ({ signal }) =>
      dataOf(listLeadImports({ path: { id: campaignId }, signal, throwOnError: true })),
    enabled: send.isPending,
    refetchInterval: POLL_MS,
    staleTime: 0,
  });
  return { send, rows: running?.[0]?.status === 'processing' ? running[0].rows : undefined };
}

function ImportResult({ result }: { readonly result: LeadImportResponse }) {
  const { import: t } = useTexts('campaigns');
  const format = useFormat();
  return (
    <Alert color={result.refused > 0 ? 'amber' : 'green'} mb="md" role="status">
      <Title order={3}>{t.done(format.number(result.imported))}</Title>
      {result.error && <Text size="sm">{result.error}</Text>}
      {result.refused > 0 && (
        <>
          <Text size="sm">{t.refused(format.number(result.refused))}</Text>
          <ul>
            {result.refusals.slice(0, 10).map(({ line, reason }, at) => (
              <li key={at}>{t.line(format.number(line), reason)}</li>
            ))}
          </ul>
          {result.refused > 10 && <Text size="sm">{t.omitted(format.number(result.refused - 10))}</Text>}
        </>
      )}
    </Alert>
  );
}
