import { useLocalStorage } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listConversations, listKnowledgebases, listTools, pageAssistants } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';

export type Step = 'assistant' | 'chat' | 'knowledge' | 'widget' | 'takeover';

interface Steps {
  readonly steps: readonly { readonly step: Step; readonly isDone: boolean }[];
  /** The newest one, which is tested and put on a website. */
  readonly assistantId: number | undefined;
}

const STEPS: readonly Step[] = ['assistant', 'chat', 'knowledge', 'widget', 'takeover'];

/** Which first steps are done, by what the account has; null while loading. */
export function useSteps(): Steps | null {
  const [remembered, remember] = useLocalStorage<readonly Step[]>({
    key: 'prosa.guide.done',
    defaultValue: [],
  });
  const results = useQueries({
    queries: [
      {
        queryKey: ['assistants', 'any'],
        queryFn: async () => (await dataOf(pageAssistants, {})).data[0]?.id ?? false,
      },
      {
        queryKey: ['conversations', 'any', 'test'],
        // A new conversation has only its greeting.
        queryFn: () => hasConversation({ type: 'test', sort: 'activity' }),
      },
      {
        queryKey: ['knowledge', 'any'],
        queryFn: async () => {
          const [bases, tools] = await Promise.all([dataOf(listKnowledgebases, {}), dataOf(listTools, {})]);
          return bases.data.length > 0 || tools.length > 0;
        },
      },
      { queryKey: ['conversations', 'any', 'widget'], queryFn: () => hasConversation({ type: 'widget' }) },
      {
        queryKey: ['conversations', 'any', 'human'],
        queryFn: () => hasConversation({ type: 'widget', state: 'human' }),
      },
    ],
  });
  // A conversation that was handed back is not a person's any more, and a step that was done stays done.
  const found = STEPS.filter((_, index) => Boolean(results[index]?.data));
  const done = [...new Set([...remembered, ...found])];
  useEffect(() => {
    if (done.length > remembered.length) remember(done);
  });
  if (results.some(({ data }) => data === undefined)) return null;
  const assistantId = results[0].data;
  return {
    steps: STEPS.map((step) => ({ step, isDone: done.includes(step) })),
    assistantId: typeof assistantId === 'number' ? assistantId : undefined,
  };
}

type Query = NonNullable<Parameters<typeof listConversations>[0]>['query'];

async function hasConversation(query: Query): Promise<boolean> {
  const { data } = await dataOf(listConversations, { query: { ...query, per_page: 1 } });
  return data.length > 0;
}
