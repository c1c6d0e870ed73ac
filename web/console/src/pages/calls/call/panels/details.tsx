import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CallDetailsResponse } from '#client/types.gen.js';
import { isLive } from '#web/console/src/components/call-status.jsx';
import { Facts } from '#web/console/src/components/facts.jsx';
import { Panel } from '#web/console/src/components/page/panel.jsx';
import { useRoutingWords } from '#web/console/src/components/routing/routing-words.js';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { useFormat } from '#web/console/src/texts/use-format.js';
import { useVoiceText } from '../../use-voice-text.js';

/** Numbers, times and the route of a call. */
export function Details({ call }: { readonly call: CallDetailsResponse }) {
  const t = useTexts('callPage').details;
  const { details: of, types } = useTexts('calls');
  const format = useFormat();
  const routingWords = useRoutingWords();
  const voiceText = useVoiceText();
  const waitedMs = call.routing?.waited_ms ?? null;
  const isOver = !isLive(call.status);
  const facts: (readonly [string, ReactNode])[] = [
    [t.type, types[call.type]],
    [t.when, format.dateTime(call.created_at)],
  ];
  if (isOver) facts.push([t.duration, format.duration(call.duration)]);
  if (call.campaign_name) facts.push([of.campaign, <Campaign key="campaign" call={call} />]);
  if (call.assistant_phone_number) facts.push([of.from, call.assistant_phone_number]);
  if (call.routing && call.type === 'inbound')
    facts.push([of.routing, routingWords.call(call.routing, call.assistant_name)]);
  if (waitedMs !== null) facts.push([of.waited, format.duration(waitedMs / 1_000)]);
  if (isOver) facts.push([of.answeredBy, of.answered[call.answered_by]]);
  if (call.gatekeeper) facts.push([t.gatekeeper, t.gatekeepers[call.gatekeeper]]);
  if (call.voice) facts.push([of.voice, voiceText(call.voice)]);
  const wait = responseOf(call.quality);
  const ms = (value: number) => `${format.number(value)} ms`;
  if (wait) facts.push([t.responseMs, t.typical(ms(wait.p50), ms(wait.p95))]);
  return (
    <Panel title={t.title}>
      <Facts facts={facts} />
    </Panel>
  );
}

function Campaign({ call: { campaign_id: id, campaign_name: name } }: Parameters<typeof Details>[0]) {
  if (id === null) return name;
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => <Link to="/campaigns/$id" params={{ id: String(id) }} {...props} />}
    >
      {name}
    </Anchor>
  );
}

/** How long the customer waited for answers, where that was measured. */
function responseOf(
  quality: CallDetailsResponse['quality'],
): { readonly p50: number; readonly p95: number } | null {
  const measured = quality?.response_ms;
  if (typeof measured !== 'object' || measured === null) return null;
  const { p50, p95 } = measured as { readonly p50?: unknown; readonly p95?: unknown };
  return typeof p50 === 'number' && typeof p95 === 'number' ? { p50, p95 } : null;
}
