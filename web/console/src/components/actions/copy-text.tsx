import { ActionIcon, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Check, Copy } from 'lucide-react';
import { useTexts } from '../../texts/texts.js';
import classes from './copy-text.module.css';

/** A text of a machine, such as an id, and a button that copies it. It stays selectable: plain HTTP has no clipboard. */
export function CopyText({ value }: { readonly value: string }) {
  const { actions } = useTexts('common');
  const clipboard = useClipboard();
  return (
    <span className={classes.copy}>
      <code>{value}</code>
      <Tooltip label={clipboard.copied ? actions.copied : actions.copy}>
        <ActionIcon size="sm" aria-label={actions.copy} onClick={() => clipboard.copy(value)}>
          {clipboard.copied ? <Check size={14} /> : <Copy size={14} />}
        </ActionIcon>
      </Tooltip>
    </span>
  );
}
