import '@mantine/core/styles/Progress.layer.css';
import { ActionIcon, Badge, Progress, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FileText, Trash2 } from 'lucide-react';
import { useEffect } from 'react';
import { deleteDocument, listDocuments } from '#client/sdk.gen.js';
import type { DocumentResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import { ConfirmDialog } from '../../components/actions/confirm-dialog.js';
import { EmptyState } from '../../components/states/empty-state.js';
import { type Column, DataTable } from '../../components/tables/data-table.js';
import { Loaded } from '../../components/states/loaded.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import classes from './knowledge.module.css';

const POLL_MS = 1_500;
const COLORS = { processing: 'iris', active: 'green', failed: 'red' } as const;

const documentsQuery = (baseId: number) =>
  queryOptions({
    queryKey: ['documents', baseId],
    queryFn: async ({ signal }) =>
      (await dataOf(listDocuments, { path: { knowledgebaseId: baseId }, signal })).data,
    // Polls the progress while a document is processed.
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'processing') ? POLL_MS : false,
  });

export function Documents({ baseId }: { readonly baseId: number }) {
  const t = useTexts('knowledge');
  const queries = useQueryClient();
  const documents = useQuery(documentsQuery(baseId));
  const open = documents.data?.filter(({ status }) => status === 'processing').length;
  // The status of the knowledge base depends on its documents.
  useEffect(() => void queries.invalidateQueries({ queryKey: ['knowledgebases'] }), [queries, open]);
  return (
    <Loaded query={documents}>
      {(all) =>
        all.length === 0 ? (
          <EmptyState icon={FileText} title={t.noDocuments}>
            {t.dropHint}
          </EmptyState>
        ) : (
          <DocumentTable baseId={baseId} documents={all} />
        )
      }
    </Loaded>
  );
}

interface TableProps {
  readonly baseId: number;
  readonly documents: readonly DocumentResponse[];
}

function DocumentTable({ baseId, documents }: TableProps) {
  const t = useTexts('knowledge');
  const format = useFormat();
  const columns: readonly Column<DocumentResponse>[] = [
    {
      key: 'name',
      head: t.columns.name,
      kind: 'text',
      cell: ({ name, type }) => (
        <>
          <Text fw={500} className={classes.name}>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {type.toUpperCase()}
          </Text>
        </>
      ),
    },
    {
      key: 'status',
      head: t.columns.status,
      kind: 'text',
      cell: (document) => (
        <>
          <Status document={document} />
          <Reasons document={document} />
        </>
      ),
    },
    {
      key: 'updated',
      head: t.columns.updated,
      isWideOnly: true,
      cell: (document) => <Dimmed>{format.ago(document.updated_at)}</Dimmed>,
    },
    {
      key: 'more',
      head: t.more,
      isHeadHidden: true,
      kind: 'number',
      cell: (document) => (
        <IfAllowed scope="admin">
          <DeleteDocument baseId={baseId} document={document} />
        </IfAllowed>
      ),
    },
  ];
  return <DataTable name={t.documents} columns={columns} rows={documents} keyOf={({ id }) => id} />;
}

function Status({ document: { name, status, progress } }: { readonly document: DocumentResponse }) {
  const t = useTexts('knowledge');
  if (status !== 'processing') return <Badge color={COLORS[status]}>{t.documentStatus[status]}</Badge>;
  return (
    <div className={classes.reading}>
      <Text size="xs" c="dimmed" className="tabular">
        {t.documentStatus.processing} {progress}%
      </Text>
      <Progress value={progress} size="sm" aria-label={t.progress(name)} />
    </div>
  );
}

interface DeleteProps {
  readonly baseId: number;
  readonly document: DocumentResponse;
}

function DeleteDocument({ baseId, document: { id, name } }: DeleteProps) {
  const t = useTexts('knowledge');
  const queries = useQueryClient();
  const [isDeleting, { open, close }] = useDisclosure(false);
  const remove = useMutation({
    mutationFn: () => dataOf(deleteDocument, { path: { knowledgebaseId: baseId, id } }),
    meta: { changes: [['documents', baseId]] },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['knowledgebases'] }),
  });
  return (
    <>
      <ActionIcon aria-label={`${t.deleteDocument}: ${name}`} onClick={open}>
        <Trash2 size={16} />
      </ActionIcon>
      <ConfirmDialog opened={isDeleting} onClose={close} title={t.deleteDocument} mutation={remove}>
        <strong>{name}</strong>
        <br />
        {t.deleteDocumentText}
      </ConfirmDialog>
    </>
  );
}

/** Why a document failed, or which parts could not be read. */
function Reasons({ document }: { readonly document: DocumentResponse }) {
  const t = useTexts('knowledge');
  const format = useFormat();
  const reasonOf = (code: keyof typeof t.reasons, value: number | null) =>
    t.reasons[code](format.number(value ?? 0));
  if (document.status === 'failed' && document.status_reason_code) {
    return (
      <Text size="sm" c="red">
        {reasonOf(document.status_reason_code, document.status_reason_value)}
      </Text>
    );
  }
  return document.unread.map(({ code, value, pages, count, total }) => (
    <Text key={`${code} ${value} ${pages[0]}`} size="sm" className={classes.unread}>
      {count > 0 && `${t.unreadPages(format.number(count), format.number(total), pages)} `}
      {reasonOf(code, value)}
    </Text>
  ));
}
