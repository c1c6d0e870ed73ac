import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  closeConversation,
  handBackConversation,
  markConversationRead,
  markConversationUnread,
  reopenConversation,
  takeOverConversation,
} from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import { conversationKey } from './use-inbox.js';
import { useUndoOffer } from './undo-close.js';

const ACTIONS = {
  takeOver: takeOverConversation,
  handBack: handBackConversation,
  close: closeConversation,
  reopen: reopenConversation,
  read: markConversationRead,
  unread: markConversationUnread,
};

export type ConversationAction = keyof typeof ACTIONS;

/** Actions of an operator. Each answer is the changed conversation. Closing offers to undo it. */
export function useAction(id: string) {
  const queries = useQueryClient();
  const offerUndo = useUndoOffer();
  return useMutation({
    mutationFn: (action: ConversationAction) => dataOf(ACTIONS[action], { path: { uuid: id } }),
    onSuccess: ({ data }, action) => {
      if (action === 'close') offerUndo(id);
      queries.setQueryData(conversationKey(id), data);
      return queries.invalidateQueries({ queryKey: ['conversations'] });
    },
  });
}
