import '@mantine/core/styles/Progress.layer.css';
import '@mantine/core/styles/Table.layer.css';
import { ActionIcon, Badge, Progress, Table, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FileText, Trash2 } from 'lucide-react';
import { useEffect } from 'react';
import { deleteDocument, listDocuments } from '#client/sdk.gen.js';
import type { DocumentResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { ConfirmDialog } from '../../components/actions/confirm-dialog.js';
import { EmptyState } from '../../components/states/empty-state.js';
import table from '../../components/tables/list-table.module.css';
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
      (await dataOf(listDocuments({ path: { knowledgebaseId: baseId }, signal, throwOnError: true }))).data,
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
          <div className={table.scroll}>
            <Table className={table.table}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t.columns.name}</Table.Th>
                  <Table.Th>{t.columns.status}</Table.Th>
                  <Table.Th className={table.wideOnly}>{t.columns.updated}</Table.Th>
                  <Table.Th>
                    <VisuallyHidden>{t.more}</VisuallyHidden>
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {all.map((document) => (
                  <Row key={document.id} baseId={baseId} document={document} />
                ))}
              </Table.Tbody>
            </Table>
          </div>
        )
      }
    </Loaded>
  );
}

function Row({ baseId, document }: { readonly baseId: number; readonly document: DocumentResponse }) {
  const t = useTexts('knowledge');
  const format = useFormat();
  const queries = useQueryClient();
  const [isDeleting, { open, close }] = useDisclosure(false);
  const remove = useMutation({
    mutationFn: () =>
      dataOf(deleteDocument({ path: { knowledgebaseId: baseId, id: document.id }, throwOnError: true })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['documents', baseId] });
      await queries.invalidateQueries({ queryKey: ['knowledgebases'] });
    },
  });
  return (
    <Table.Tr>
      <Table.Td>
        <Text fw={500} className={classes.name}>
          {document.name}
        </Text>
        <Text size="xs" c="dimmed">
          {document.type.toUpperCase()}
        </Text>
      </Table.Td>
      <Table.Td>
        {document.status === 'processing' ? (
          <div className={classes.reading}>
            <Text size="xs" c="dimmed" className="tabular">
              {t.documentStatus.processing} {document.progress}%
            </Text>
            <Progress value={document.progress} size="sm" aria-label={t.progress(document.name)} />
          </div>
        ) : (
          <Badge color={COLORS[document.status]}>{t.documentStatus[document.status]}</Badge>
        )}
        <Reasons document={document} />
      </Table.Td>
      <Table.Td className={table.wideOnly}>
        <Text size="sm" c="dimmed">
          {format.ago(document.updated_at)}
        </Text>
      </Table.Td>
      <Table.Td className={table.number}>
        <IfAllowed scope="admin">
          <ActionIcon aria-label={`${t.deleteDocument}: ${document.name}`} onClick={open}>
            <Trash2 size={16} />
          </ActionIcon>
          <ConfirmDialog
            opened={isDeleting}
            onClose={close}
            title={t.deleteDocument}
            action={t.deleteDocument}
            mutation={remove}
          >
            <strong>{document.name}</strong>
            <br />
            {t.deleteDocumentText}
          </ConfirmDialog>
        </IfAllowed>
      </Table.Td>
    </Table.Tr>
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
