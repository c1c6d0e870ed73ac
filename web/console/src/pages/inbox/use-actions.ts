import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  closeConversation,
  handBackConversation,
  markConversationRead,
  markConversationUnread,
  takeOverConversation,
} from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import { conversationKey } from './use-inbox.js';

const ACTIONS = {
  takeOver: takeOverConversation,
  handBack: handBackConversation,
  close: closeConversation,
  read: markConversationRead,
  unread: markConversationUnread,
};

export type ConversationAction = keyof typeof ACTIONS;

/** Actions of an operator. Each answer is the changed conversation. */
export function useAction(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (action: ConversationAction) =>
      dataOf(ACTIONS[action]({ path: { uuid: id }, throwOnError: true })),
    onSuccess: ({ data }) => {
      queries.setQueryData(conversationKey(id), data);
      return queries.invalidateQueries({ queryKey: ['conversations'] });
    },
  });
}
