import { useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { deleteDoNotCall } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import { BulkBar } from '../../components/bulk/bulk-bar.js';
import { ConfirmBulk } from '../../components/bulk/confirm-bulk.js';
import { useBulk } from '../../components/bulk/use-bulk.js';
import type { Selection } from '../../components/tables/use-selection.js';
import { useTexts } from '../../texts/texts.js';

/** Actions on the selected numbers. */
export function EntryBulk({ selection }: { readonly selection: Selection<number> }) {
  const t = useTexts('doNotCall');
  const queries = useQueryClient();
  const bulk = useBulk(selection, () => queries.invalidateQueries({ queryKey: ['do-not-call'] }));
  return (
    <BulkBar count={selection.ids.length} bulk={bulk}>
      <ConfirmBulk
        label={t.removeAction}
        icon={<Trash2 size={15} />}
        question={t.removeSome(selection.ids.length)}
        onConfirm={() => void bulk.run((id) => dataOf(deleteDoNotCall, { path: { id } }))}
      />
    </BulkBar>
  );
}
