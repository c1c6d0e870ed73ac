import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useTexts } from '../../texts/texts.js';
import classes from './copy-text.module.css';
import { useCopy } from './use-copy.js';

interface Props {
  readonly value: string;
  /** Called after the value was copied, or after copying failed. */
  readonly onCopy?: () => void;
}

/** A technical text such as an id, with a copy button. */
export function CopyText({ value, onCopy }: Props) {
  const { actions } = useTexts('common');
  const { state, copy } = useCopy();
  const press = async () => {
    await copy(value);
    onCopy?.();
  };
  return (
    <>
      <span className={classes.copy}>
        <code onCopy={onCopy}>{value}</code>
        <Tooltip label={state === 'copied' ? actions.copied : actions.copy}>
          <ActionIcon size="sm" aria-label={actions.copy} onClick={() => void press()}>
            {state === 'copied' ? <Check size={14} /> : <Copy size={14} />}
          </ActionIcon>
        </Tooltip>
      </span>
      {state === 'failed' && (
        <Text size="sm" c="red" role="alert">
          {actions.copyFailed}
        </Text>
      )}
    </>
  );
}
