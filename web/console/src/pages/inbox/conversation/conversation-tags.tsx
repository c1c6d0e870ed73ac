import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { setConversationTags } from '#client/sdk.gen.js';
import type { ConversationItemResponse } from '#client/types.gen.js';
import { dataOf } from '../../../api/client.js';
import { Problem } from '../../../components/states/problem.js';
import { TagEditor } from '../../../components/tags/tag-editor.js';
import { useIsAllowed } from '../../../session/rights.js';

/** The tags of a conversation. Each leads to the conversations that have it. */
export function ConversationTags({
  conversation: { id, tags = [] },
}: {
  readonly conversation: ConversationItemResponse;
}) {
  const isAllowed = useIsAllowed('chat');
  const change = useMutation({
    // Each change is the whole list: the next one begins with it, and is sent after it.
    scope: { id: `tags of conversation ${id}` },
    mutationFn: (changed: readonly string[]) =>
      dataOf(setConversationTags, { path: { uuid: id }, body: { tags: [...changed] } }),
    meta: { changes: [['conversations']] },
  });
  return (
    <>
      <TagEditor
        tags={change.isPending ? change.variables : tags}
        isAllowed={isAllowed}
        isBusy={change.isPending}
        renderLink={(tag, props) => <Link to="/inbox" search={{ tag }} {...props} />}
        onChange={change.mutate}
      />
      {change.error && <Problem error={change.error} />}
    </>
  );
}
