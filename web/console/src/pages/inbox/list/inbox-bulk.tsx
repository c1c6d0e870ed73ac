import { Button, Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Check, UserRound } from 'lucide-react';
import {
  assignConversation,
  closeConversation,
  getInboxConversation,
  setConversationTags,
} from '#client/sdk.gen.js';
import { dataOf } from '../../../api/client.js';
import { BulkBar } from '../../../components/bulk/bulk-bar.js';
import { BulkTag } from '../../../components/bulk/bulk-tag.js';
import { ConfirmBulk } from '../../../components/bulk/confirm-bulk.js';
import { useBulk } from '../../../components/bulk/use-bulk.js';
import type { Selection } from '../../../components/tables/use-selection.js';
import { tagsWith } from '../../../components/tags/tags.js';
import { useTexts } from '../../../texts/texts.js';
import { useAssignees } from '../use-inbox.js';

/** Actions on the selected conversations. */
export function InboxBulk({ selection }: { readonly selection: Selection<string> }) {
  const t = useTexts('inbox');
  const queries = useQueryClient();
  const bulk = useBulk(selection, () => queries.invalidateQueries({ queryKey: ['conversations'] }));
  const { data: people = [] } = useAssignees();
  const assign = (member_id: number | null, owner: boolean) =>
    void bulk.run((uuid) => dataOf(assignConversation, { path: { uuid }, body: { member_id, owner } }));
  return (
    <BulkBar count={selection.ids.length} bulk={bulk}>
      <Menu>
        <Menu.Target>
          <Button size="xs" variant="default" leftSection={<UserRound size={15} />}>
            {t.bulk.assign}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => assign(null, false)}>{t.assignees.none}</Menu.Item>
          {people.map(({ member_id: id, owner, name }) => (
            <Menu.Item key={id ?? 'owner'} onClick={() => assign(id, owner)}>
              {name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <BulkTag onTag={(tag) => void bulk.run((uuid) => addTag(uuid, tag))} />
      <ConfirmBulk
        label={t.actions.close}
        icon={<Check size={15} />}
        question={t.bulk.closeQuestion(selection.ids.length)}
        onConfirm={() => void bulk.run((uuid) => dataOf(closeConversation, { path: { uuid } }))}
      />
    </BulkBar>
  );
}

async function addTag(uuid: string, tag: string): Promise<void> {
  const { tags = [] } = await dataOf(getInboxConversation, { path: { uuid } });
  const changed = tagsWith(tags, tag);
  if (changed !== tags) await dataOf(setConversationTags, { path: { uuid }, body: { tags: [...changed] } });
}
