import { Anchor, Button, Group, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PhoneOff, Trash2 } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { deleteCall, hangUpCall } from '#client/sdk.gen.js';
import type { CallDetailsResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import { CallStatus, isLive } from '../../components/call-status.js';
import { ConfirmDialog } from '../../components/actions/confirm-dialog.js';
import { ListenLink } from '../../components/actions/listen-link.js';
import { Facts, factsOf } from '../../components/facts.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { RunningTime } from '../../components/running-time.js';
import { useRoutingWords } from '../../components/routing/routing-words.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import { useTokensText } from '../../texts/use-tokens-text.js';
import { CallBackButton } from './call-back-button.js';
import { CallBackDialog } from './call-back-dialog.js';
import { ownAddress } from './recording-address.js';
import { Turns } from './turns.js';
import { useVoiceText } from './use-voice-text.js';

interface Props {
  readonly call: CallDetailsResponse;
  readonly onDeleted: () => void;
}

export function CallView({ call, onDeleted }: Props) {
  const t = useTexts('calls');
  const pageTexts = useTexts('callPage');
  const format = useFormat();
  const player = useRef<HTMLAudioElement>(null);
  const duration = format.duration(call.duration);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start">
        <div>
          <Title order={2} className="tabular">
            {call.client_phone_number || t.web}
          </Title>
          <Dimmed>
            {[call.assistant_name, format.dateTime(call.created_at), ...(call.live ? [] : [duration])]
              .filter((part) => part !== '')
              .join(' · ')}
            {call.live && (
              <>
                {' · '}
                <RunningTime since={call.live.since} />
              </>
            )}
          </Dimmed>
          <Anchor
            size="sm"
            renderRoot={(props) => <Link to="/calls/$id" params={{ id: String(call.id) }} {...props} />}
          >
            {pageTexts.open}
          </Anchor>
        </div>
        <CallStatus status={call.status} />
      </Group>
      <IfAllowed scope="calls">
        <Actions call={call} onDeleted={onDeleted} />
      </IfAllowed>
      {call.recording_url && (
        <audio
          ref={player}
          controls
          preload="metadata"
          src={ownAddress(call.recording_url)}
          aria-label={t.details.recording}
          style={{ width: '100%' }}
        />
      )}
      <Section title={t.details.conversation}>
        <Turns turns={call.turns} player={call.recording_url ? player : null} />
      </Section>
      <CallFacts call={call} />
    </Stack>
  );
}

function CallFacts({ call }: { readonly call: CallDetailsResponse }) {
  const t = useTexts('calls').details;
  const { types, filters } = useTexts('calls');
  const { tokens } = useTexts('common');
  const format = useFormat();
  const tokensText = useTokensText();
  const routingWords = useRoutingWords();
  const voiceText = useVoiceText();
  const waitedMs = call.routing?.waited_ms ?? null;
  const parts = [
    [t.evaluation, call.evaluation],
    [t.variables, call.variables],
    [t.quality, call.quality ?? {}],
    [t.webhook, call.webhook_response],
  ] as const;
  return (
    <>
      <Section title={t.facts}>
        <Facts
          facts={[
            [filters.type, types[call.type]],
            ...(call.campaign_name ? [[t.campaign, call.campaign_name] as const] : []),
            ...(call.assistant_phone_number ? [[t.from, call.assistant_phone_number] as const] : []),
            ...(call.routing && call.type === 'inbound'
              ? [[t.routing, routingWords.call(call.routing, call.assistant_name)] as const]
              : []),
            ...(waitedMs === null ? [] : [[t.waited, format.duration(waitedMs / 1_000)] as const]),
            [t.answeredBy, t.answered[call.answered_by]],
            ...(call.voice ? [[t.voice, voiceText(call.voice)] as const] : []),
            [t.cost, format.money(call.total_cost)],
            [t.carrierCost, format.money(call.carrier_cost)],
            ...(call.tokens ? [[tokens.name, tokensText(call.tokens)] as const] : []),
          ]}
        />
      </Section>
      {parts.map(
        ([title, values]) =>
          Object.keys(values).length > 0 && (
            <Section key={title} title={title}>
              <Facts facts={factsOf(values)} />
            </Section>
          ),
      )}
    </>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <Title order={3} mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}

type Action = 'hangUp' | 'delete';

function Actions({ call, onDeleted }: Props) {
  const t = useTexts('calls').details;
  const queries = useQueryClient();
  const offered: Action = isLive(call.status) ? 'hangUp' : 'delete';
  // The call can end while the confirmation is open. The confirmation must not turn into another one.
  const [asked, setAsked] = useState(offered);
  const [isAsking, question] = useDisclosure(false);
  const [isCallingBack, callBack] = useDisclosure(false);
  const act = useMutation({
    mutationFn: (action: Action): Promise<unknown> =>
      dataOf(action === 'hangUp' ? hangUpCall : deleteCall, { path: { id: call.id } }),
    onSuccess: (_answer, action) => {
      question.close();
      if (action === 'delete') onDeleted();
      return queries.invalidateQueries({ queryKey: ['calls'] });
    },
  });
  const ask = () => {
    act.reset();
    setAsked(offered);
    question.open();
  };
  return (
    <Group>
      <ListenLink call={call} />
      <CallBackButton call={call} size="xs" onClick={callBack.open} />
      <Button
        size="xs"
        color="red"
        variant={offered === 'hangUp' ? 'filled' : 'light'}
        leftSection={offered === 'hangUp' ? <PhoneOff size={15} /> : <Trash2 size={15} />}
        onClick={ask}
      >
        {t[offered]}
      </Button>
      <ConfirmDialog
        // A call that has ended cannot be hung up.
        opened={isAsking && asked === offered}
        onClose={question.close}
        title={t[asked]}
        mutation={{ ...act, mutate: () => act.mutate(asked) }}
      >
        {asked === 'hangUp' ? t.hangUpQuestion : t.deleteQuestion}
      </ConfirmDialog>
      <CallBackDialog phone={call.client_phone_number} opened={isCallingBack} onClose={callBack.close} />
    </Group>
  );
}
