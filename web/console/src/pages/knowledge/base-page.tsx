import { Badge, Button, Group, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Globe, Pencil } from 'lucide-react';
import { deleteKnowledgebase, getKnowledgebase } from '#client/sdk.gen.js';
import type { KnowledgebaseResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { DeleteMenu } from '../../components/actions/delete-menu.js';
import { useLeaveDeleted } from '../../components/actions/use-leave-deleted.js';
import { Loaded } from '../../components/states/loaded.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { Page } from '../../components/page/page.js';
import { Panel } from '../../components/page/panel.js';
import { useTexts } from '../../texts/texts.js';
import { BaseDialog } from './base-dialog.js';
import { Documents } from './documents.js';
import classes from './knowledge.module.css';
import { SiteDialog } from './site-dialog.js';
import { TryQuestion } from './try-question.js';
import { Uploads } from './uploads.js';
import { BackLink } from '../../components/page/back-link.js';

const route = getRouteApi('/shell/knowledge/$id');
const COLORS = { empty: 'gray', processing: 'iris', active: 'green', failed: 'red' } as const;

const baseQuery = (id: number) =>
  queryOptions({
    queryKey: ['knowledgebases', id],
    queryFn: async ({ signal }) => (await dataOf(getKnowledgebase, { path: { id }, signal })).data,
  });

export function BasePage() {
  const base = useQuery(baseQuery(Number(route.useParams().id)));
  return (
    <Loaded query={base} lines={8}>
      {(data) => <Base base={data} />}
    </Loaded>
  );
}

function Base({ base }: { readonly base: KnowledgebaseResponse }) {
  const t = useTexts('knowledge');
  const [isAddingSite, site] = useDisclosure(false);
  return (
    <Page
      title={base.name}
      subtitle={
        <Group gap="sm">
          <BackLink to="/knowledge" text={t.back} />
          <Badge color={COLORS[base.status]}>{t.status[base.status]}</Badge>
          {base.description !== '' && <span>{base.description}</span>}
        </Group>
      }
      actions={
        <IfAllowed scope="admin">
          <Button variant="default" leftSection={<Globe size={16} />} onClick={site.open}>
            {t.addSite}
          </Button>
          <MoreMenu base={base} />
        </IfAllowed>
      }
    >
      <IfAllowed scope="admin">
        <Uploads baseId={base.id} />
      </IfAllowed>
      <div className={classes.documents}>
        <Panel flush title={t.documents}>
          <Documents baseId={base.id} />
        </Panel>
      </div>
      <TryQuestion baseId={base.id} />
      {isAddingSite && <SiteDialog baseId={base.id} onClose={site.close} />}
    </Page>
  );
}

function MoreMenu({ base }: { readonly base: KnowledgebaseResponse }) {
  const t = useTexts('knowledge');
  const [isEditing, editing] = useDisclosure(false);
  const leave = useLeaveDeleted('/knowledge', ['knowledgebases'], ['knowledgebases', base.id]);
  return (
    <>
      <DeleteMenu
        label={t.more}
        title={t.deleteTitle(base.name)}
        text={t.deleteText}
        action={t.delete}
        remove={() => dataOf(deleteKnowledgebase, { path: { id: base.id } })}
        onDone={leave}
      >
        <Menu.Item leftSection={<Pencil size={16} />} onClick={editing.open}>
          {t.edit}
        </Menu.Item>
      </DeleteMenu>
      {isEditing && <BaseDialog base={base} onClose={editing.close} />}
    </>
  );
}
