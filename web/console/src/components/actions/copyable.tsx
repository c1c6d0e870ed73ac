import { ActionIcon, Tooltip } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../../texts/texts.js';
import classes from './copyable.module.css';

const SHOWN_MS = 2_000;

/** A text to be pasted somewhere else. */
export function Copyable({ text, label }: { readonly text: string; readonly label: string }) {
  const { actions } = useTexts('common');
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <div className={classes.box}>
      <pre className={classes.text} tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <Tooltip label={isCopied ? actions.copied : actions.copy}>
        <ActionIcon className={classes.button} aria-label={actions.copy} onClick={() => void copy()}>
          {isCopied ? <Check size={16} /> : <Copy size={16} />}
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

/** Over plain HTTP browsers have no clipboard for pages. */
async function copyText(text: string): Promise<void> {
  if (globalThis.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
