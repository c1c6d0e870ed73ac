import { useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { deleteLead } from '#client/sdk.gen.js';
import { dataOf } from '../../../api/client.js';
import { BulkBar } from '../../../components/bulk/bulk-bar.js';
import { ConfirmBulk } from '../../../components/bulk/confirm-bulk.js';
import { useBulk } from '../../../components/bulk/use-bulk.js';
import type { Selection } from '../../../components/tables/use-selection.js';
import { useTexts } from '../../../texts/texts.js';

interface Props {
  readonly campaignId: number;
  readonly selection: Selection<number>;
}

/** Actions on the selected contacts. */
export function LeadBulk({ campaignId, selection }: Props) {
  const { leads: t } = useTexts('campaigns');
  const queries = useQueryClient();
  const bulk = useBulk(selection, async () => {
    await queries.invalidateQueries({ queryKey: ['leads', campaignId] });
    await queries.invalidateQueries({ queryKey: ['campaigns', campaignId] });
  });
  return (
    <BulkBar count={selection.ids.length} bulk={bulk}>
      <ConfirmBulk
        label={t.delete}
        icon={<Trash2 size={15} />}
        question={t.deleteSome(selection.ids.length)}
        onConfirm={() => void bulk.run((id) => dataOf(deleteLead, { path: { id } }))}
      />
    </BulkBar>
  );
}
