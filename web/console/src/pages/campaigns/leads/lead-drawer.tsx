import '@mantine/core/styles/Drawer.layer.css';
import { Anchor, Badge, Drawer, Group, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { deleteLead, getLead, listCalls } from '#client/sdk.gen.js';
import type { CallResponse, LeadResponse } from '#client/types.gen.js';
import { ConfirmButton } from '../../../components/actions/confirm-button.js';
import { Dimmed } from '../../../components/dimmed.js';
import { dataOf } from '../../../api/client.js';
import { CallNowButton } from '../../../components/call-now/call-now-button.js';
import { Loaded } from '../../../components/states/loaded.js';
import { IfAllowed } from '../../../components/if-allowed.js';
import { useTexts } from '../../../texts/texts.js';
import { useFormat } from '../../../texts/use-format.js';
import classes from '../campaigns.module.css';
import { LeadBadge } from './lead-badge.js';

interface Props {
  readonly id: number;
  readonly campaignId: number;
  readonly onClose: () => void;
}

/** Details of a contact, with its calls. */
export function LeadDrawer({ id, campaignId, onClose }: Props) {
  const { leads: t } = useTexts('campaigns');
  const lead = useQuery({
    queryKey: ['leads', campaignId, 'one', id],
    queryFn: ({ signal }) => dataOf(getLead, { path: { id }, signal }),
  });
  return (
    <Drawer opened onClose={onClose} title={t.details} size="lg">
      <Loaded query={lead}>{(data) => <Details lead={data} onGone={onClose} />}</Loaded>
    </Drawer>
  );
}

function Details({ lead, onGone }: { readonly lead: LeadResponse; readonly onGone: () => void }) {
  const { leads: t } = useTexts('campaigns');
  return (
    <>
      <Group justify="space-between" mb="md">
        <Group gap="sm">
          <Text fw={600} size="lg" className="tabular">
            {lead.phone_number}
          </Text>
          <LeadBadge {...lead} />
        </Group>
        <Group gap="sm">
          <CallNowButton phone={lead.phone_number} variables={lead.variables} size="xs" variant="default" />
          <IfAllowed scope="campaigns">
            <DeleteLead lead={lead} onGone={onGone} />
          </IfAllowed>
        </Group>
      </Group>
      {Object.keys(lead.variables).length > 0 && (
        <>
          <Title order={3} mb="xs">
            {t.variables}
          </Title>
          <dl className={classes.pairs}>
            {Object.entries(lead.variables).map(([name, value]) => (
              <Pair
                key={name}
                name={name}
                value={typeof value === 'string' ? value : JSON.stringify(value)}
              />
            ))}
          </dl>
        </>
      )}
      {lead.secondary_contacts.length > 0 && (
        <>
          <Title order={3} mt="lg" mb="xs">
            {t.secondary}
          </Title>
          <dl className={classes.pairs}>
            {lead.secondary_contacts.map((contact) => (
              <Pair key={contact.id} name={contact.phone_number} value={t.status[contact.status]} />
            ))}
          </dl>
        </>
      )}
      <Title order={3} mt="lg" mb="xs">
        {t.calls}
      </Title>
      <Calls lead={lead} />
    </>
  );
}

function Pair({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

function Calls({ lead }: { readonly lead: LeadResponse }) {
  const { leads: t } = useTexts('campaigns');
  const { campaign_id: campaignId, phone_number: phoneNumber } = lead;
  const calls = useQuery({
    queryKey: ['calls', 'of-lead', campaignId, phoneNumber],
    queryFn: ({ signal }) =>
      dataOf(listCalls, { query: { campaign_id: campaignId, phone_number: phoneNumber }, signal }),
  });
  return (
    <Loaded query={calls} lines={2}>
      {({ data }) =>
        data.length === 0 ? (
          <Text c="dimmed">{t.noCalls}</Text>
        ) : (
          data.map((call) => <Call key={call.id} call={call} />)
        )
      }
    </Loaded>
  );
}

function Call({ call }: { readonly call: CallResponse }) {
  const { leads: t } = useTexts('campaigns');
  const format = useFormat();
  return (
    <article className={classes.call}>
      <div className={classes.callHead}>
        <Anchor
          size="sm"
          fw={500}
          renderRoot={(props) => <Link to="/calls/$id" params={{ id: String(call.id) }} {...props} />}
        >
          {format.dateTime(call.created_at)}
        </Anchor>
        <Group gap="xs">
          <Dimmed className="tabular">{format.duration(call.duration)}</Dimmed>
          <Badge color={call.status === 'failed' ? 'red' : 'gray'}>{t.callStatus[call.status]}</Badge>
        </Group>
      </div>
      {call.transcript !== '' && (
        <details>
          <summary>{t.transcript}</summary>
          <pre className={classes.transcript}>{call.transcript}</pre>
        </details>
      )}
    </article>
  );
}

function DeleteLead({ lead, onGone }: { readonly lead: LeadResponse; readonly onGone: () => void }) {
  const { leads: t } = useTexts('campaigns');
  const queries = useQueryClient();
  const refresh = async () => {
    onGone();
    await queries.invalidateQueries({ queryKey: ['leads', lead.campaign_id] });
    await queries.invalidateQueries({ queryKey: ['campaigns', lead.campaign_id] });
  };
  return (
    <ConfirmButton
      label={t.delete}
      variant="subtle"
      size="xs"
      leftSection={<Trash2 size={14} />}
      action={() => dataOf(deleteLead, { path: { id: lead.id } })}
      onDone={refresh}
    >
      {t.deleteText}
    </ConfirmButton>
  );
}
