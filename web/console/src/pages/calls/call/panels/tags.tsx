import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { setCallTags } from '#client/sdk.gen.js';
import type { CallDetailsResponse } from '#client/types.gen.js';
import { dataOf } from '#web/console/src/api/client.js';
import { Panel } from '#web/console/src/components/page/panel.jsx';
import { Problem } from '#web/console/src/components/states/problem.jsx';
import { TagEditor } from '#web/console/src/components/tags/tag-editor.jsx';
import { useIsAllowed } from '#web/console/src/session/rights.js';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { callQuery } from '../../call-query.js';

/** The tags of a call. Each leads to the calls that have it. */
export function Tags({ call: { id, tags } }: { readonly call: CallDetailsResponse }) {
  const t = useTexts('common').tags;
  const isAllowed = useIsAllowed('calls');
  const change = useMutation({
    // Each change is the whole list: the next one begins with it, and is sent after it.
    scope: { id: `tags of call ${id}` },
    mutationFn: (changed: readonly string[]) =>
      dataOf(setCallTags, { path: { id }, body: { tags: [...changed] } }),
    meta: { changes: [callQuery(id).queryKey] },
  });
  if (!isAllowed && tags.length === 0) return null;
  return (
    <Panel title={t.title}>
      <TagEditor
        tags={change.isPending ? change.variables : tags}
        isAllowed={isAllowed}
        isBusy={change.isPending}
        renderLink={(tag, props) => <Link to="/calls" search={{ tag }} {...props} />}
        onChange={change.mutate}
      />
      {change.error && <Problem error={change.error} />}
    </Panel>
  );
}
