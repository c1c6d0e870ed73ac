import { UnstyledButton } from '@mantine/core';
import type { CallTurnResponse } from '#client/types.gen.js';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { useFormat } from '#web/console/src/texts/use-format.js';
import { speakerOf } from '../../speaker.js';
import { Latency } from './latency.js';
import type { AnswerLatency } from './timeline.js';
import classes from './transcript.module.css';

interface Props {
  readonly turn: CallTurnResponse;
  readonly latency: AnswerLatency | null;
  readonly assistantName: string;
  /** Whether it is heard now. */
  readonly isCurrent: boolean;
  /** Null without a recording. */
  readonly onSeek: (() => void) | null;
}

export function TurnLine({ turn, latency, assistantName, isCurrent, onSeek }: Props) {
  const t = useTexts('callPage').transcript;
  return (
    <li
      className={classes.turn}
      data-kind="turn"
      data-role={turn.role}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <Time startMs={turn.start_ms} onSeek={onSeek} />
      <span className={classes.speaker}>
        {speakerOf(turn, { ...t, assistant: assistantName || t.assistant })}
      </span>
      <span className={classes.words}>
        {turn.text}
        {turn.interrupted && <em> ({t.interrupted})</em>} {latency && <Latency latency={latency} />}
      </span>
    </li>
  );
}

function Time({ startMs, onSeek }: Pick<Props, 'onSeek'> & { readonly startMs: number }) {
  const t = useTexts('callPage').transcript;
  const time = useFormat().duration(Math.floor(startMs / 1_000));
  if (!onSeek) return <span className={classes.time}>{time}</span>;
  return (
    <UnstyledButton className={classes.time} aria-label={t.seek(time)} onClick={onSeek}>
      {time}
    </UnstyledButton>
  );
}
