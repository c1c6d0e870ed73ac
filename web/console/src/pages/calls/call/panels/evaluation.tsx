import { Text } from '@mantine/core';
import type { CallDetailsResponse } from '#client/types.gen.js';
import { Facts } from '#web/console/src/components/facts.jsx';
import { Panel } from '#web/console/src/components/page/panel.jsx';
import { capitalized } from '#web/console/src/texts/capitalized.js';
import { type Texts, useTexts } from '#web/console/src/texts/texts.jsx';

type Words = Texts['callPage']['evaluation'];

/** What the evaluation has found, by name. */
export function Evaluation({ evaluation }: Pick<CallDetailsResponse, 'evaluation'>) {
  const t = useTexts('callPage').evaluation;
  const { summary, ...findings } = evaluation;
  if (Object.keys(evaluation).length === 0) return null;
  return (
    <Panel title={t.title}>
      {typeof summary === 'string' && (
        <Text size="sm" mb="sm">
          {summary}
        </Text>
      )}
      <Facts
        facts={Object.entries(findings).map(([name, value]) => [nameOf(name, t), textOf(value, t)] as const)}
      />
    </Panel>
  );
}

/** `status` is the finding of every evaluation; the others are named as in the assistant. */
function nameOf(name: string, t: Words): string {
  return name === 'status' ? t.status : capitalized(name.replaceAll('_', ' ').trim());
}

function textOf(value: unknown, t: Words): string {
  if (value === null) return t.unknown;
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
