import { UnstyledButton } from '@mantine/core';
import type { RefObject } from 'react';
import type { CallTurnResponse } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import classes from './calls.module.css';
import { speakerOf } from './speaker.js';

interface Props {
  readonly turns: readonly CallTurnResponse[];
  /** Player of the recording. A click on a turn's time seeks to it. */
  readonly player: RefObject<HTMLAudioElement | null> | null;
}

/** The transcript, with times. */
export function Turns({ turns, player }: Props) {
  const t = useTexts('calls').details;
  if (turns.length === 0) {
    return <Dimmed>{t.noTurns}</Dimmed>;
  }
  return (
    <ol className={classes.turns}>
      {turns.map((turn, index) => (
        <li key={index} data-role={turn.role}>
          <Time startMs={turn.start_ms} player={player} />
          <span className={classes.speaker}>{speakerOf(turn, t)}</span>
          <span className={classes.words}>
            {turn.text}
            {turn.interrupted && <em> ({t.interrupted})</em>}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Time({ startMs, player }: { readonly startMs: number; readonly player: Props['player'] }) {
  const t = useTexts('calls').details;
  const time = useFormat().duration(startMs / 1_000);
  if (!player) return <span className={classes.time}>{time}</span>;
  const seek = () => {
    if (!player.current) return;
    player.current.currentTime = startMs / 1_000;
    void player.current.play();
  };
  return (
    <UnstyledButton className={classes.time} aria-label={t.seek(time)} onClick={seek}>
      {time}
    </UnstyledButton>
  );
}
