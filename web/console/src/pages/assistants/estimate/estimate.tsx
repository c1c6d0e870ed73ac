import { Anchor, Popover, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getCallEstimate } from '#client/sdk.gen.js';
import type { AssistantResponse, CallEstimateResponse } from '#client/types.gen.js';
import { Dimmed } from '../../../components/dimmed.js';
import { dataOf } from '../../../api/client.js';
import { useTexts } from '../../../texts/texts.js';
import { useFormat } from '../../../texts/use-format.js';
import { EstimateFacts } from './estimate-facts.js';
import classes from './estimate.module.css';

interface Props {
  readonly assistant: AssistantResponse;
}

/** What a minute of calls costs and how fast the assistant answers, in a line. A press shows the parts. */
export function Estimate({ assistant }: Props) {
  const { id, updated_at: version } = assistant;
  const { data } = useQuery({
    queryKey: ['assistants', id, 'call-estimate', version],
    queryFn: ({ signal }) => dataOf(getCallEstimate, { path: { id }, signal }),
    staleTime: 60_000,
    placeholderData: (before) => before,
  });
  return data ? <EstimateLine assistant={assistant} estimate={data} /> : <div className={classes.line} />;
}

function EstimateLine({ assistant, estimate }: Props & { readonly estimate: CallEstimateResponse }) {
  const t = useTexts('assistants').estimate;
  const format = useFormat();
  const { assistant_per_minute: talk, phone_per_minute: phone, recent_calls: recent } = estimate;
  const money = format.money(talk + (phone ?? 0));
  const wait = recent?.response_ms;
  return (
    <div className={classes.line}>
      <Popover position="bottom-start" withArrow trapFocus returnFocus width="min(24rem, 92vw)">
        <Popover.Target>
          <Anchor
            component="button"
            type="button"
            size="sm"
            c="dimmed"
            underline="always"
            className={classes.open}
          >
            {wait ? t.openWithWait(money, `${format.number(wait.p50)} ms`) : t.open(money)}
          </Anchor>
        </Popover.Target>
        <Popover.Dropdown>
          <Text fw={600}>{t.title}</Text>
          <Dimmed mb="sm">{t.hint}</Dimmed>
          <EstimateFacts assistant={assistant} estimate={estimate} />
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}
