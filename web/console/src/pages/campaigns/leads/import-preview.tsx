import { Alert, Badge, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { importLeads } from '#client/sdk.gen.js';
import { Dimmed } from '../../../components/dimmed.js';
import { dataOf } from '../../../api/client.js';
import { Problem } from '../../../components/states/problem.js';
import { useLanguage, useTexts } from '../../../texts/texts.js';
import { useFormat } from '../../../texts/use-format.js';
import { RefusedRows } from './import-result.js';

interface Props {
  readonly campaignId: number;
  readonly file: File;
  /** What the columns mean; see `namesOf`. */
  readonly names: readonly string[];
  readonly hasHeader: boolean;
  readonly takesDuplicates: boolean;
}

/** Preview of the first rows, with variables of the prompt that no column fills. */
export function ImportPreview({ campaignId, file, names, hasHeader, takesDuplicates }: Props) {
  const { import: t } = useTexts('campaigns');
  const { language } = useLanguage();
  const format = useFormat();
  const columns = JSON.stringify(names);
  const { data: preview, error } = useQuery({
    queryKey: [
      'lead-preview',
      campaignId,
      file.name,
      file.lastModified,
      columns,
      hasHeader,
      takesDuplicates,
      language,
    ],
    queryFn: async ({ signal }) => {
      const query = { preview: true, header: hasHeader, allow_dupplicate: takesDuplicates, language };
      const body = { columns, file };
      return (await dataOf(importLeads, { path: { id: campaignId }, body, query, signal })).data;
    },
    placeholderData: (last) => last,
    retry: false,
    staleTime: 0,
  });
  if (error) return <Problem error={error} />;
  if (!preview) return null;
  const { used, filled, missing } = preview.variables ?? { used: [], filled: [], missing: [] };
  return (
    <Stack gap="xs" aria-live="polite">
      {used.length > 0 && (
        <Group gap="xs">
          <Text size="sm">{t.promptUses}</Text>
          {used.map((name) => (
            <Badge key={name} tt="none" variant="light" color={missing.includes(name) ? 'amber' : 'green'}>
              {name}
            </Badge>
          ))}
        </Group>
      )}
      {filled.length > 0 && <Dimmed>{t.filledBy(filled.join(', '))}</Dimmed>}
      {missing.length > 0 && (
        <Alert color="amber" role="alert">
          {t.missing(missing.map((name) => `{{${name}}}`).join(', '))}
        </Alert>
      )}
      {preview.refused > 0 && (
        <Alert
          color="amber"
          title={t.wouldRefuse(format.number(preview.refused), format.number(preview.rows))}
        >
          <RefusedRows refusals={preview.refusals} refused={preview.refused} />
        </Alert>
      )}
    </Stack>
  );
}
