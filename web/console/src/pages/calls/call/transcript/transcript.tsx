import type { CallDetailsResponse } from '#client/types.gen.js';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { useFormat } from '#web/console/src/texts/use-format.js';
import { Dimmed } from '#web/console/src/components/dimmed.jsx';
import type { Player } from '../recording/use-player.js';
import { DeskLine } from './desk-line.js';
import { type TimelineItem, timelineOf, turnAt } from './timeline.js';
import { ToolLine } from './tool-line.js';
import { TurnLine } from './turn-line.js';
import classes from './transcript.module.css';

interface Props {
  readonly call: Pick<CallDetailsResponse, 'turns' | 'assistant_name'> &
    Partial<Pick<CallDetailsResponse, 'function_calls' | 'desk' | 'quality'>>;
  /** Null without a recording. */
  readonly player: Player | null;
}

/** What was said in a call, with the tools that were used and the pauses between. */
export function Transcript({ call, player }: Props) {
  const t = useTexts('callPage').transcript;
  const items = timelineOf(call);
  if (items.length === 0) {
    return <Dimmed>{t.none}</Dimmed>;
  }
  const current = player && player.currentMs > 0 ? turnAt(call.turns, player.currentMs) : undefined;
  return (
    <ol className={classes.lines}>
      {items.map((item, index) => (
        <Line
          key={`${item.kind}-${index}`}
          item={item}
          assistantName={call.assistant_name}
          isCurrent={item.kind === 'turn' && item.turn === current}
          onSeek={player && (() => player.playFrom(item.atMs))}
        />
      ))}
    </ol>
  );
}

interface LineProps {
  readonly item: TimelineItem;
  readonly assistantName: string;
  readonly isCurrent: boolean;
  readonly onSeek: (() => void) | null;
}

function Line({ item, assistantName, isCurrent, onSeek }: LineProps) {
  switch (item.kind) {
    case 'turn':
      return <TurnLine {...item} assistantName={assistantName} isCurrent={isCurrent} onSeek={onSeek} />;
    case 'tool':
      return <ToolLine tool={item.tool} />;
    case 'desk':
      return <DeskLine entry={item.entry} />;
    case 'gap':
      return <GapLine ms={item.gap.endMs - item.gap.startMs} />;
  }
}

function GapLine({ ms }: { readonly ms: number }) {
  const t = useTexts('callPage').transcript;
  const format = useFormat();
  return (
    <li className={classes.gap} data-kind="gap">
      {t.silence(format.number(Math.round(ms / 100) / 10))}
    </li>
  );
}
