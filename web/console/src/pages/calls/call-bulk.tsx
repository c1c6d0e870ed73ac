import { useQueryClient } from '@tanstack/react-query';
import { exportCalls, getCall, setCallTags } from '#client/sdk.gen.js';
import { dataOf, fileOf } from '../../api/client.js';
import { ExportButton } from '../../components/actions/export-button.js';
import { BulkBar } from '../../components/bulk/bulk-bar.js';
import { BulkTag } from '../../components/bulk/bulk-tag.js';
import { useBulk } from '../../components/bulk/use-bulk.js';
import type { Selection } from '../../components/tables/use-selection.js';
import { tagsWith } from '../../components/tags/tags.js';
import { useIsAllowed } from '../../session/rights.js';

/** Actions on the selected calls. */
export function CallBulk({ selection }: { readonly selection: Selection<number> }) {
  const mayTag = useIsAllowed('calls');
  const queries = useQueryClient();
  const bulk = useBulk(selection, () => queries.invalidateQueries({ queryKey: ['calls'] }));
  const { ids } = selection;
  return (
    <BulkBar count={ids.length} bulk={bulk}>
      {mayTag && <BulkTag onTag={(tag) => void bulk.run((id) => addTag(id, tag))} />}
      <ExportButton
        size="xs"
        fileName="calls.csv"
        load={() => fileOf(exportCalls, { query: { ids: ids.join(',') } })}
      />
    </BulkBar>
  );
}

async function addTag(id: number, tag: string): Promise<void> {
  const { tags } = await dataOf(getCall, { path: { id } });
  const changed = tagsWith(tags, tag);
  if (changed !== tags) await dataOf(setCallTags, { path: { id }, body: { tags: [...changed] } });
}
