import { Button, Modal, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Tag } from 'lucide-react';
import { useState } from 'react';
import { DialogForm } from '../../forms/dialog-form.js';
import { useTexts } from '../../texts/texts.js';
import { MAX_TAG_LENGTH } from '../tags/tags.js';

/** Adds a tag to several rows. */
export function BulkTag({ onTag }: { readonly onTag: (tag: string) => void }) {
  const { bulk: t, tags } = useTexts('common');
  const [isOpen, { open, close }] = useDisclosure(false);
  const [typed, setTyped] = useState('');
  const submit = () => {
    const tag = typed.trim();
    if (tag === '') return;
    close();
    setTyped('');
    onTag(tag);
  };
  return (
    <>
      <Button size="xs" variant="default" leftSection={<Tag size={15} />} onClick={open}>
        {t.tag}
      </Button>
      <Modal opened={isOpen} onClose={close} title={t.tag}>
        <DialogForm submit={tags.add} onCancel={close} onSubmit={submit}>
          <TextInput
            label={tags.label}
            value={typed}
            maxLength={MAX_TAG_LENGTH}
            autoComplete="off"
            data-autofocus
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </DialogForm>
      </Modal>
    </>
  );
}
