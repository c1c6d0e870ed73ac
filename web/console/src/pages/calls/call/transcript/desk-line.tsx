import { Headphones } from 'lucide-react';
import type { DeskEntryResponse } from '#client/types.gen.js';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { useFormat } from '#web/console/src/texts/use-format.js';
import classes from './transcript.module.css';

/** What a person who listened to the call did in it. */
export function DeskLine({ entry }: { readonly entry: DeskEntryResponse }) {
  const t = useTexts('callPage').desk;
  const time = useFormat().duration(Math.floor(entry.at_ms / 1_000));
  const did: Readonly<Record<string, string>> = t.events;
  return (
    <li className={classes.tool} data-kind="desk">
      <span className={classes.time}>{time}</span>
      <span className={classes.words}>
        <Headphones size={14} aria-hidden="true" /> {entry.member_name ?? t.owner}{' '}
        {did[entry.event] ?? entry.event}
        {entry.text && `: ${entry.text}`}
      </span>
    </li>
  );
}
