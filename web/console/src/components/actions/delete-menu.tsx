import { ActionIcon, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { Ellipsis, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { ConfirmDialog } from './confirm-dialog.js';

interface Props {
  readonly label: string;
  /** Opens the confirmation of the deletion. */
  readonly title: string;
  readonly text: ReactNode;
  readonly action: string;
  readonly remove: () => Promise<unknown>;
  /** Called after the deletion. */
  readonly onDone: () => unknown;
  /** Further items, above the deletion. */
  readonly children: ReactNode;
}

/** Menu of less frequent actions, with the deletion last. */
export function DeleteMenu({ label, title, text, action, remove, onDone, children }: Props) {
  const [isDeleting, { open, close }] = useDisclosure(false);
  const mutation = useMutation({ mutationFn: remove, onSuccess: () => onDone() });
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon size="lg" aria-label={label}>
            <Ellipsis size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {children}
          <Menu.Item color="red" leftSection={<Trash2 size={16} />} onClick={open}>
            {action}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog opened={isDeleting} onClose={close} title={title} action={action} mutation={mutation}>
        {text}
      </ConfirmDialog>
    </>
  );
}
