import { Text } from '@mantine/core';
import type { AssistantResponse, CallEstimateResponse } from '#client/types.gen.js';
import { Facts } from '../../../components/facts.js';
import { useTexts } from '../../../texts/texts.js';
import { useFormat } from '../../../texts/use-format.js';

type Recent = NonNullable<CallEstimateResponse['recent_calls']>;
type OwnKeyPart = CallEstimateResponse['own_keys'][number];

const PARTS = ['endpointing', 'recognition', 'model', 'synthesis'] as const;

interface Props {
  readonly assistant: AssistantResponse;
  readonly estimate: CallEstimateResponse;
}

/** The parts of the price of a minute, and what was measured. */
export function EstimateFacts({ assistant: { mode }, estimate }: Props) {
  const t = useTexts('assistants').estimate;
  const format = useFormat();
  const { assistant_per_minute: talk, phone_per_minute: phone, own_keys: ownKeys } = estimate;
  const isOwn = (part: OwnKeyPart) => ownKeys.includes(part);
  const partText = (part: OwnKeyPart) => (isOwn(part) ? t.ownKey : t.included);
  // What providers charge the account comes on top.
  const totalOf = (usd: number, isWhole: boolean) =>
    isWhole ? format.money(usd) : t.atLeast(format.money(usd));
  const hasNoKeys = ownKeys.length === 0;
  return (
    <>
      <Facts
        facts={[
          [t.platform, format.money(talk)],
          [t.model, partText('model')],
          [t.voice, mode === 'multimodal' ? t.ofModel : partText('voice')],
          [t.transcriber, mode === 'pipeline' ? partText('transcriber') : t.ofModel],
          [t.phone, phone === null ? t.ownCarrier : format.money(phone)],
          [t.totalPhone, totalOf(talk + (phone ?? 0), hasNoKeys && phone !== null)],
          [t.totalWeb, totalOf(talk, hasNoKeys)],
        ]}
      />
      <Text fw={600} mt="md" mb="xs">
        {t.measured}
      </Text>
      {estimate.recent_calls ? (
        <Measured recent={estimate.recent_calls} />
      ) : (
        <Text size="sm">{t.noCalls}</Text>
      )}
    </>
  );
}

function Measured({
  recent: { count, cost_per_minute: cost, response_ms: wait },
}: {
  readonly recent: Recent;
}) {
  const t = useTexts('assistants').estimate;
  const format = useFormat();
  const ms = (value: number) => `${format.number(value)} ms`;
  const parts = PARTS.flatMap((part) => {
    const value = wait?.[part] ?? null;
    return value === null ? [] : [[t.parts[part], ms(value)] as const];
  });
  return (
    <>
      <Facts
        facts={[
          [t.calls, format.number(count)],
          [t.measuredCost, format.money(cost)],
          [t.wait, wait ? t.waitOf(ms(wait.p50), ms(wait.p95)) : t.noWait],
          ...parts,
        ]}
      />
      {parts.length > 0 && (
        <Text size="xs" c="dimmed" mt="xs">
          {t.partsHint}
        </Text>
      )}
    </>
  );
}
