import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { MessageSquare, Phone } from 'lucide-react';
import { listCalls, listConversations } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import { customerName } from '../../components/customer-name.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import { MOST_ITEMS, type PaletteGroup } from './palette-group.js';

/** A single letter begins words of most conversations. */
const LEAST_LETTERS = 2;
/** With or without the country. Calls are found by the whole number. */
const NUMBER = /^\+?\d{8,15}$/;
const SPACERS = /[\s().-]/g;

/** What the server finds. */
export function useSearchedGroups(words: string): readonly PaletteGroup[] {
  return [useCalls(words), useConversations(words)];
}

/** The number in what was typed, or an empty text. */
function numberIn(words: string): string {
  const digits = words.replace(SPACERS, '');
  return NUMBER.test(digits) ? digits : '';
}

function useCalls(words: string): PaletteGroup {
  const { statuses } = useTexts('calls');
  const format = useFormat();
  const navigate = useNavigate();
  const number = numberIn(words);
  const { data, isLoading, isError } = useQuery({
    queryKey: ['calls', 'palette', number],
    queryFn: ({ signal }) =>
      dataOf(listCalls, { query: { phone_number: number, per_page: MOST_ITEMS }, signal }),
    enabled: number !== '',
  });
  const items = (data?.data ?? []).map((call) => ({
    id: `call-${call.id}`,
    icon: Phone,
    label: call.client_phone_number,
    detail: `${format.dateTime(call.created_at)} · ${statuses[call.status]}`,
    open: () => navigate({ to: '/calls/$id', params: { id: String(call.id) } }),
  }));
  return { name: 'calls', items, isLoading, isFailed: isError };
}

function useConversations(words: string): PaletteGroup {
  const { visitor, noMessages } = useTexts('inbox');
  const navigate = useNavigate();
  const { data, isLoading, isError } = useQuery({
    queryKey: ['conversations', 'palette', words],
    queryFn: ({ signal }) =>
      dataOf(listConversations, {
        query: { type: 'widget', sort: 'activity', q: words, per_page: MOST_ITEMS },
        signal,
      }),
    enabled: words.length >= LEAST_LETTERS,
  });
  const items = (data?.data ?? []).map((conversation) => ({
    id: `conversation-${conversation.id}`,
    icon: MessageSquare,
    label: customerName(conversation, visitor),
    detail: conversation.last_message ?? noMessages,
    open: () => navigate({ to: '/inbox', search: { id: conversation.id } }),
  }));
  return { name: 'conversations', items, isLoading, isFailed: isError };
}
