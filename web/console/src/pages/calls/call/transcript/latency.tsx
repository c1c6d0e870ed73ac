import { Badge, Popover, UnstyledButton } from '@mantine/core';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { useFormat } from '#web/console/src/texts/use-format.js';
import type { AnswerLatency } from './timeline.js';
import classes from './transcript.module.css';

/** From here on people notice the wait, and from there on it disturbs the talk. */
const NOTICED_MS = 1_200;
const DISTURBING_MS = 2_500;

/** How long the customer waited for an answer. A press shows for what. */
export function Latency({ latency }: { readonly latency: AnswerLatency }) {
  const t = useTexts('callPage').latency;
  const format = useFormat();
  const { responseMs, heardMs, thoughtMs, spokeMs } = latency;
  const ms = (value: number) => `${format.number(Math.round(value))} ms`;
  const color = responseMs < NOTICED_MS ? 'green' : responseMs < DISTURBING_MS ? 'amber' : 'red';
  const parts = [
    [t.heard, heardMs],
    [t.thought, thoughtMs],
    [t.spoke, spokeMs],
  ] as const;
  return (
    <Popover position="top" withArrow trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={classes.latency} aria-label={t.waited(ms(responseMs))}>
          <Badge color={color} component="span">
            {ms(responseMs)}
          </Badge>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.parts}>
        {parts.flatMap(([name, value]) => (value === null ? [] : [`${name} ${ms(value)}`])).join(' · ') ||
          t.unknown}
      </Popover.Dropdown>
    </Popover>
  );
}
