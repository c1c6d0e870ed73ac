import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { SavedReplyResponse } from '#client/types.gen.js';
import { useTexts } from '../../../texts/texts.js';
import classes from './saved-replies.module.css';
import { optionId } from './use-picker.js';

interface Props {
  readonly id: string;
  readonly replies: readonly SavedReplyResponse[];
  /** Index of the marked one. */
  readonly at: number;
  readonly onPick: (reply: SavedReplyResponse) => void;
  readonly onManage: () => void;
}

/** Saved replies above the composer, which keeps the focus. */
export function ReplyList({ id, replies, at, onPick, onManage }: Props) {
  const t = useTexts('inbox').savedReplies;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <div className={classes.picker}>
      <div ref={box} id={id} role="listbox" aria-label={t.title} className={classes.options}>
        {replies.map((reply, index) => (
          <div
            key={reply.id}
            id={optionId(id, reply)}
            role="option"
            aria-selected={index === at}
            className={classes.option}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onPick(reply)}
          >
            <b>/{reply.shortcut}</b>
            <span>{reply.text}</span>
          </div>
        ))}
      </div>
      <p className={classes.foot}>
        <span role="status">{t.found(replies.length)}</span>
        <Button size="compact-xs" variant="subtle" onClick={onManage}>
          {t.manage}
        </Button>
      </p>
    </div>
  );
}
