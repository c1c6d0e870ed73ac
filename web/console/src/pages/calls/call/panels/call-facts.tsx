import type { CallDetailsResponse } from '#client/types.gen.js';
import { Facts, factsOf } from '#web/console/src/components/facts.jsx';
import { Panel } from '#web/console/src/components/page/panel.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { Costs } from './costs.js';
import { Details } from './details.js';
import { Evaluation } from './evaluation.js';
import { Notes } from './notes.js';
import { Tags } from './tags.js';

interface Props {
  readonly call: CallDetailsResponse;
}

/** What is known of a call in addition to what was said. */
export function CallFacts({ call }: Props) {
  const { variables: t, details } = useTexts('callPage');
  const given = call.input_variables;
  const found = Object.fromEntries(
    Object.entries(call.variables).filter(
      ([name, value]) => JSON.stringify(given[name]) !== JSON.stringify(value),
    ),
  );
  return (
    <>
      <Evaluation evaluation={call.evaluation} />
      <Tags call={call} />
      <Notes callId={call.id} />
      <ValuesPanel title={t.found} values={found} />
      <ValuesPanel title={t.given} values={given} />
      <Costs call={call} />
      <Details call={call} />
      <ValuesPanel title={details.webhook} values={call.webhook_response} />
    </>
  );
}

interface ValuesProps {
  readonly title: string;
  readonly values: Readonly<Record<string, unknown>>;
}

function ValuesPanel({ title, values }: ValuesProps) {
  if (Object.keys(values).length === 0) return null;
  return (
    <Panel title={title}>
      <Facts facts={factsOf(values)} />
    </Panel>
  );
}
