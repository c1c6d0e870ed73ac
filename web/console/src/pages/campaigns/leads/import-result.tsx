import { Alert, Text, Title } from '@mantine/core';
import { exportLeadRefusals } from '#client/sdk.gen.js';
import type { LeadImportResponse } from '#client/types.gen.js';
import { fileOf } from '../../../api/client.js';
import { ExportButton } from '../../../components/actions/export-button.js';
import { useLanguage, useTexts } from '../../../texts/texts.js';
import { useFormat } from '../../../texts/use-format.js';

const MAX_SHOWN = 10;

/** Result of an import. */
export function ImportResult({ result }: { readonly result: LeadImportResponse }) {
  const { import: t } = useTexts('campaigns');
  const { language } = useLanguage();
  const format = useFormat();
  const { id, refused, refusals, refusals_url: url } = result;
  return (
    <Alert color={refused > 0 ? 'amber' : 'green'} mb="md" role="status">
      <Title order={3}>{t.done(format.number(result.imported), result.imported)}</Title>
      {result.error && <Text size="sm">{result.error}</Text>}
      {refused > 0 && <Text size="sm">{t.refused(format.number(refused), refused)}</Text>}
      <RefusedRows refusals={refusals} refused={refused} />
      {url !== null && id !== null && (
        <ExportButton
          label={t.download}
          fileName={`import-${id}-refused.csv`}
          load={() =>
            fileOf(exportLeadRefusals, {
              path: { id: result.campaign_id, importId: id },
              query: { language },
            })
          }
        />
      )}
    </Alert>
  );
}

/** The first skipped rows, each with the reason. */
export function RefusedRows({ refusals, refused }: Pick<LeadImportResponse, 'refusals' | 'refused'>) {
  const { import: t } = useTexts('campaigns');
  const format = useFormat();
  if (refusals.length === 0) return null;
  return (
    <>
      <ul>
        {refusals.slice(0, MAX_SHOWN).map(({ line, reason }) => (
          <li key={line}>{t.line(format.number(line), reason)}</li>
        ))}
      </ul>
      {refused > MAX_SHOWN && <Text size="sm">{t.omitted(format.number(refused - MAX_SHOWN))}</Text>}
    </>
  );
}
