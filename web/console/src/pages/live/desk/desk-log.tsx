import { useEffect, useRef } from 'react';
import { Dimmed } from '../../../components/dimmed.js';
import { useTexts } from '../../../texts/texts.js';
import classes from './desk.module.css';
import type { DeskLine, DeskLines } from './session/desk-lines.js';
import { useNoticeTexts } from './use-notice-text.js';

/** The log stays at its end unless the reader has scrolled up by more. */
const NEAR_END_PX = 80;

/** What is said and done. The person hears it, so a screen reader does not read it out as it comes. */
export function DeskLog({ lines }: { readonly lines: DeskLines }) {
  const { desk: t } = useTexts('live');
  const ref = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (isAtEnd.current) ref.current?.scrollTo({ top: ref.current.scrollHeight });
  }, [lines]);
  return (
    <div
      ref={ref}
      className={classes.log}
      role="log"
      aria-live="off"
      aria-label={t.log}
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
      }}
    >
      {lines.length === 0 && <Dimmed>{t.nothingSaid}</Dimmed>}
      {lines.map((line) => (
        <Line key={line.id} line={line} />
      ))}
    </div>
  );
}

function Line({ line }: { readonly line: DeskLine }) {
  const { desk: t, speakers } = useTexts('live');
  if (line.kind === 'gap') return <p className={classes.gap}>{t.gap}</p>;
  if (line.kind === 'tool') return <ToolCall line={line} />;
  if (line.kind === 'sent') return <Sent line={line} />;
  return (
    <p className={classes.line} data-role={line.role}>
      <span className={classes.speaker}>{line.name ?? speakers[line.role]}</span>
      <span>{line.text}</span>
    </p>
  );
}

function ToolCall({ line }: { readonly line: DeskLine & { readonly kind: 'tool' } }) {
  const { tools } = useTexts('live').desk;
  return (
    <details className={classes.tool}>
      <summary>
        {tools.name(line.name)}: {tools[line.status]}
      </summary>
      <pre>{JSON.stringify(line.given, null, 2)}</pre>
      {line.result && <pre>{JSON.stringify(line.result, null, 2)}</pre>}
    </details>
  );
}

function Sent({ line }: { readonly line: DeskLine & { readonly kind: 'sent' } }) {
  const { desk: t } = useTexts('live');
  const { reasonText } = useNoticeTexts();
  const { command, result, text } = line;
  const isOpen = result === 'sending' || result === 'done';
  return (
    <p className={classes.line} data-role="sent">
      <span className={classes.speaker}>
        {t.sent[command]} · {isOpen ? t.sent[result] : t.sent.failed}
      </span>
      <span>{text}</span>
      {!isOpen && <span className={classes.problem}>{reasonText(command, result)}</span>}
    </p>
  );
}
