import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useTexts } from '../../texts/texts.js';
import classes from './copyable.module.css';
import { useCopy } from './use-copy.js';

interface Props {
  readonly text: string;
  readonly label: string;
  /** Called after the text was copied, or after copying failed. */
  readonly onCopy?: () => void;
}

/** A text to paste elsewhere, with a copy button. */
export function Copyable({ text, label, onCopy }: Props) {
  const { actions } = useTexts('common');
  const { state, copy } = useCopy();
  const press = async () => {
    await copy(text);
    onCopy?.();
  };
  return (
    <div className={classes.box}>
      <pre className={classes.text} tabIndex={0} aria-label={label} onCopy={onCopy}>
        {text}
      </pre>
      <Tooltip label={state === 'copied' ? actions.copied : actions.copy}>
        <ActionIcon className={classes.button} aria-label={actions.copy} onClick={() => void press()}>
          {state === 'copied' ? <Check size={16} /> : <Copy size={16} />}
        </ActionIcon>
      </Tooltip>
      {state === 'failed' && (
        <Text size="sm" c="red" role="alert">
          {actions.copyFailed}
        </Text>
      )}
    </div>
  );
}
