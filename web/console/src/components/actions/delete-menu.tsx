import { ActionIcon, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Ellipsis, Trash2 } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { ConfirmDialog } from './confirm-dialog.js';

interface Props {
  readonly label: string;
  /** What asks before it deletes. */
  readonly title: string;
  readonly text: ReactNode;
  readonly action: string;
  readonly mutation: ComponentProps<typeof ConfirmDialog>['mutation'];
  /** What else can be done, above the deletion. */
  readonly children: ReactNode;
}

/** What is done with a thing less often, with its deletion at the end. */
export function DeleteMenu({ label, title, text, action, mutation, children }: Props) {
  const [isDeleting, { open, close }] = useDisclosure(false);
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
