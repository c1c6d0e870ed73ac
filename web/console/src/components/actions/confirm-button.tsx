import { Button, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ConfirmDialog } from './confirm-dialog.js';

interface Props<Answer> extends Pick<ButtonProps, 'variant' | 'size' | 'leftSection'> {
  readonly label: string;
  /** Of the dialog. Default: the label. */
  readonly title?: string;
  /** Colour of both buttons. Default: red, for actions that cannot be undone. */
  readonly color?: string;
  readonly action: () => Promise<Answer>;
  /** Called after a success, when the dialog has been closed. */
  readonly onDone?: (answer: Answer) => unknown;
  /** What the action destroys. */
  readonly children: ReactNode;
}

/** A button that asks before its action. */
export function ConfirmButton<Answer>(props: Props<Answer>) {
  const { label, title = label, color = 'red', action, onDone, children, ...look } = props;
  const [isAsking, question] = useDisclosure(false);
  const mutation = useMutation({
    mutationFn: () => action(),
    onSuccess: async (answer) => {
      question.close();
      await onDone?.(answer);
    },
  });
  return (
    <>
      <Button {...look} {...(look.variant !== 'default' && { color })} onClick={question.open}>
        {label}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={question.close}
        title={title}
        action={label}
        color={color}
        mutation={mutation}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
