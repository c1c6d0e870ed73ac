import { ActionIcon, Alert, Button, Group, Text } from '@mantine/core';
import { Pause, Play } from 'lucide-react';
import { useState } from 'react';
import type { CallTurnResponse } from '#client/types.gen.js';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { useFormat } from '#web/console/src/texts/use-format.js';
import classes from './recording.module.css';
import { usePeaks } from './use-peaks.js';
import type { Player } from './use-player.js';
import { Waveform } from './waveform.js';

const SPEEDS = [1, 1.25, 1.5, 2];

interface Props {
  readonly player: Player;
  readonly turns: readonly CallTurnResponse[];
}

/** Plays the recording of a call, with its waveform. */
export function RecordingPlayer({ player, turns }: Props) {
  const t = useTexts('callPage').recording;
  const format = useFormat();
  const peaks = usePeaks(player.url);
  const durationMs = player.durationMs || (peaks?.durationMs ?? 0);
  return (
    <div className={classes.player}>
      <audio
        ref={player.audio}
        preload="metadata"
        src={player.url}
        aria-label={t.title}
        {...player.listeners}
      />
      {player.isFailed && <Alert color="amber">{t.failed}</Alert>}
      <Waveform player={player} peaks={peaks} durationMs={durationMs} turns={turns} />
      <Group gap="sm">
        <ActionIcon
          variant="filled"
          color="iris"
          size="lg"
          radius="xl"
          aria-label={player.isPlaying ? t.pause : t.play}
          onClick={player.toggle}
        >
          {player.isPlaying ? <Pause size={18} /> : <Play size={18} />}
        </ActionIcon>
        <Text size="sm" className="tabular">
          {format.duration(Math.floor(player.currentMs / 1_000))} / {format.duration(durationMs / 1_000)}
        </Text>
        <Speed player={player} />
        <Legend tracks={peaks?.tracks.length ?? 0} />
      </Group>
    </div>
  );
}

function Speed({ player }: Pick<Props, 'player'>) {
  const t = useTexts('callPage').recording;
  const format = useFormat();
  const [index, setIndex] = useState(0);
  const change = () => {
    const next = (index + 1) % SPEEDS.length;
    if (player.audio.current) player.audio.current.playbackRate = SPEEDS[next] ?? 1;
    setIndex(next);
  };
  const speed = `${format.number(SPEEDS[index] ?? 1)}×`;
  return (
    <Button size="compact-sm" variant="default" aria-label={t.speed(speed)} onClick={change}>
      {speed}
    </Button>
  );
}

function Legend({ tracks }: { readonly tracks: number }) {
  const t = useTexts('callPage').recording;
  return (
    <ul className={classes.legend}>
      {tracks === 2 && (
        <>
          <li data-mark="customer">{t.customerTrack}</li>
          <li data-mark="assistant">{t.assistantTrack}</li>
        </>
      )}
      <li data-mark="gap">{t.gaps}</li>
      <li data-mark="interruption">{t.interruptions}</li>
    </ul>
  );
}
