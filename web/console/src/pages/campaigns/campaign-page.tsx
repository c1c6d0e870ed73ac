import { Button, Group, Menu, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Pause, Pencil, Play, Upload } from 'lucide-react';
import { deleteCampaign } from '#client/sdk.gen.js';
import type { CampaignResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { DeleteMenu } from '../../components/actions/delete-menu.js';
import { useLeaveDeleted } from '../../components/actions/use-leave-deleted.js';
import { lazyNamed } from '../../components/states/lazy-named.js';
import { Loaded } from '../../components/states/loaded.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { Page } from '../../components/page/page.js';
import { Problem } from '../../components/states/problem.js';
import { useTexts } from '../../texts/texts.js';
import { CallMeFirst } from './call-me-first.js';
import { CampaignBadge } from './campaign-badge.js';
import { Leads } from './leads/leads.js';
import { Progress } from './progress.js';
import { campaignQuery } from './queries.js';
import { Readiness } from './readiness.js';
import { useStatusChange } from './use-status-change.js';
import { BackLink } from '../../components/page/back-link.js';

const EditDialog = lazyNamed(async () => (await import('./edit-dialog.js')).EditDialog);
const LeadImport = lazyNamed(async () => (await import('./leads/lead-import.js')).LeadImport);

const route = getRouteApi('/shell/campaigns/$id');

export function CampaignPage() {
  const id = Number(route.useParams().id);
  const campaign = useQuery(campaignQuery(id));
  return (
    <Loaded query={campaign} lines={10}>
      {(data) => <Campaign campaign={data} />}
    </Loaded>
  );
}

function Campaign({ campaign }: { readonly campaign: CampaignResponse }) {
  const t = useTexts('campaigns');
  const { id, status } = campaign;
  const [isAdding, { open, close }] = useDisclosure(false);
  const change = useStatusChange(id);
  return (
    <Page
      title={campaign.name}
      subtitle={
        <Group gap="sm">
          <BackLink to="/campaigns" text={t.actions.back} />
          <CampaignBadge status={status} />
        </Group>
      }
      actions={
        <IfAllowed scope="campaigns">
          <Button
            variant={status === 'completed' ? 'filled' : 'default'}
            leftSection={<Upload size={16} />}
            onClick={open}
          >
            {t.actions.addLeads}
          </Button>
          {status !== 'in-progress' && <CallMeFirst campaign={campaign} />}
          {status === 'in-progress' ? (
            <Button
              variant="default"
              leftSection={<Pause size={16} />}
              loading={change.isPending}
              onClick={() => change.mutate('stop')}
            >
              {t.actions.stop}
            </Button>
          ) : (
            <Button
              variant={status === 'completed' ? 'default' : 'filled'}
              leftSection={<Play size={16} />}
              loading={change.isPending}
              onClick={() => change.mutate('start')}
            >
              {t.actions.start}
            </Button>
          )}
          <MoreMenu campaign={campaign} />
        </IfAllowed>
      }
    >
      {change.error && <Problem error={change.error} />}
      {(status === 'draft' || change.error) && <Readiness campaign={campaign} onAddLeads={open} />}
      <Progress campaign={campaign} />
      <Leads campaignId={id} onAdd={open} />
      <Modal opened={isAdding} onClose={close} size="xl" title={t.import.title}>
        <LeadImport campaignId={id} />
      </Modal>
    </Page>
  );
}

function MoreMenu({ campaign }: { readonly campaign: CampaignResponse }) {
  const { actions: t } = useTexts('campaigns');
  const [isEditing, editing] = useDisclosure(false);
  const leave = useLeaveDeleted('/campaigns', ['campaigns'], ['campaigns', campaign.id]);
  return (
    <>
      <DeleteMenu
        label={t.more}
        title={t.deleteTitle(campaign.name)}
        text={t.deleteText}
        action={t.delete}
        remove={() => dataOf(deleteCampaign, { path: { id: campaign.id } })}
        onDone={leave}
      >
        <Menu.Item leftSection={<Pencil size={16} />} onClick={editing.open}>
          {t.edit}
        </Menu.Item>
        <Menu.Divider />
      </DeleteMenu>
      {isEditing && <EditDialog campaign={campaign} onClose={editing.close} />}
    </>
  );
}
