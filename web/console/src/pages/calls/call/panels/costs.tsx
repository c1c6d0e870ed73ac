import type { CallDetailsResponse } from '#client/types.gen.js';
import { Dimmed } from '#web/console/src/components/dimmed.jsx';
import { isLive } from '#web/console/src/components/call-status.jsx';
import { Facts } from '#web/console/src/components/facts.jsx';
import { Panel } from '#web/console/src/components/page/panel.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { useFormat } from '#web/console/src/texts/use-format.js';
import { useTokensText } from '#web/console/src/texts/use-tokens-text.js';

/** What a call cost, by what it was spent for. */
export function Costs({ call }: { readonly call: CallDetailsResponse }) {
  const t = useTexts('callPage').costs;
  const { tokens } = useTexts('common');
  const format = useFormat();
  const tokensText = useTokensText();
  if (isLive(call.status)) {
    return (
      <Panel title={t.title}>
        <Dimmed>{t.pending}</Dimmed>
      </Panel>
    );
  }
  return (
    <Panel title={t.title}>
      <Facts
        facts={[
          [t.total, format.money(call.total_cost)],
          [t.assistant, format.money(call.total_cost - call.carrier_cost)],
          [t.carrier, format.money(call.carrier_cost)],
          ...(call.tokens ? [[tokens.name, tokensText(call.tokens)] as const] : []),
        ]}
      />
    </Panel>
  );
}
