import { Modal } from '@mantine/core';
import type { ConversationItemResponse } from '#client/types.gen.js';
import { useTexts } from '../../../texts/texts.js';
import { ConversationTags } from './conversation-tags.js';

interface Props {
  readonly conversation: ConversationItemResponse;
  readonly onClose: () => void;
}

/** The tags where there is no room for the details of the conversation. */
export function TagsDialog({ conversation, onClose }: Props) {
  const { tags } = useTexts('common');
  return (
    <Modal opened onClose={onClose} title={tags.title}>
      <ConversationTags conversation={conversation} />
    </Modal>
  );
}
