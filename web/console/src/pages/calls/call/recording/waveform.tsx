import type { KeyboardEvent, PointerEvent } from 'react';
import type { CallTurnResponse } from '#client/types.gen.js';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { useFormat } from '#web/console/src/texts/use-format.js';
import { gapsOf, turnAt } from '../transcript/timeline.js';
import type { Peaks } from './peaks.js';
import classes from './recording.module.css';
import type { Player } from './use-player.js';

const STEP_MS = 5_000;
const PAGE_MS = 30_000;
/** Height of a track in the drawing, whose width is its duration. */
const TRACK = 40;
const TRACK_NAMES = ['customer', 'assistant'];

interface Props {
  readonly player: Player;
  readonly peaks: Peaks | null;
  readonly durationMs: number;
  readonly turns: readonly CallTurnResponse[];
}

/** The recording over time. A slider: a click or a key seeks. */
export function Waveform({ player, peaks, durationMs, turns }: Props) {
  const t = useTexts('callPage').recording;
  const format = useFormat();
  const seekTo = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    player.seek(((event.clientX - left) / width) * durationMs);
  };
  const said = turnAt(turns, player.currentMs)?.text ?? '';
  const time = t.position(format.duration(player.currentMs / 1_000), format.duration(durationMs / 1_000));
  return (
    <div
      role="slider"
      tabIndex={0}
      className={classes.wave}
      aria-label={t.seek}
      aria-valuemin={0}
      aria-valuemax={Math.round(durationMs / 1_000)}
      aria-valuenow={Math.round(Math.min(player.currentMs, durationMs) / 1_000)}
      aria-valuetext={said === '' ? time : `${time}. ${said}`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        seekTo(event);
      }}
      onPointerMove={(event) => event.buttons === 1 && seekTo(event)}
      onKeyDown={(event) => act(event, player, durationMs)}
    >
      {durationMs > 0 && <Drawing peaks={peaks} durationMs={durationMs} turns={turns} />}
      <div
        className={classes.cursor}
        style={{ insetInlineStart: `${durationMs > 0 ? (player.currentMs / durationMs) * 100 : 0}%` }}
      />
    </div>
  );
}

function act(event: KeyboardEvent, player: Player, durationMs: number): void {
  const targets: Readonly<Record<string, number>> = {
    ArrowRight: player.currentMs + STEP_MS,
    ArrowUp: player.currentMs + STEP_MS,
    ArrowLeft: player.currentMs - STEP_MS,
    ArrowDown: player.currentMs - STEP_MS,
    PageUp: player.currentMs + PAGE_MS,
    PageDown: player.currentMs - PAGE_MS,
    Home: 0,
    End: durationMs,
  };
  const target = targets[event.key];
  if (target === undefined && event.key !== ' ') return;
  event.preventDefault();
  if (target === undefined) player.toggle();
  else player.seek(target);
}

function Drawing({ peaks, durationMs, turns }: Omit<Props, 'player'>) {
  const tracks = peaks?.tracks ?? [];
  const height = TRACK * Math.max(1, tracks.length);
  return (
    <svg
      className={classes.drawing}
      viewBox={`0 0 ${durationMs} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {gapsOf(turns).map(({ startMs, endMs }) => (
        <rect
          key={startMs}
          className={classes.gap}
          x={startMs}
          y={0}
          width={endMs - startMs}
          height={height}
        />
      ))}
      {peaks &&
        tracks.map((track, index) => (
          <path
            key={TRACK_NAMES[index]}
            className={classes.track}
            data-track={tracks.length === 1 ? 'both' : TRACK_NAMES[index]}
            d={barsOf(track, peaks.barMs, TRACK * (index + 0.5))}
          />
        ))}
      {turns
        .filter(({ interrupted }) => interrupted)
        .map(({ end_ms: endMs }) => (
          <line key={endMs} className={classes.interruption} x1={endMs} x2={endMs} y1={0} y2={height} />
        ))}
    </svg>
  );
}

/** A vertical line for each bar, around a middle. */
function barsOf(track: Float32Array, barMs: number, middle: number): string {
  const loudest = Math.max(
    0.05,
    track.reduce((most, peak) => Math.max(most, peak), 0),
  );
  let path = '';
  for (const [index, peak] of track.entries()) {
    const half = Math.max(0.5, (peak / loudest) * (TRACK / 2 - 2));
    path += `M${(index + 0.5) * barMs} ${(middle - half).toFixed(1)}v${(half * 2).toFixed(1)}`;
  }
  return path;
}
