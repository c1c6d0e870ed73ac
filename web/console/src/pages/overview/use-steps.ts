import { useQueries } from '@tanstack/react-query';
import { listConversations, listKnowledgebases, listTools, pageAssistants } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';

export type Step = 'assistant' | 'chat' | 'knowledge' | 'widget' | 'takeover';

interface StepState {
  readonly step: Step;
  readonly isDone: boolean;
}

/** Which first steps are done, by what the account has; null while loading. */
export function useSteps(): readonly StepState[] | null {
  const results = useQueries({
    queries: [
      {
        queryKey: ['assistants', 'any'],
        queryFn: async () => (await dataOf(pageAssistants({ throwOnError: true }))).data.length > 0,
      },
      {
        queryKey: ['conversations', 'any', 'test'],
        // A new conversation has only its greeting.
        queryFn: () => hasConversation({ type: 'test', sort: 'activity' }),
      },
      {
        queryKey: ['knowledge', 'any'],
        queryFn: async () => {
          const [bases, tools] = await Promise.all([
            dataOf(listKnowledgebases({ throwOnError: true })),
            dataOf(listTools({ throwOnError: true })),
          ]);
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
  if (results.some(({ data }) => data === undefined)) return null;
  const steps: readonly Step[] = ['assistant', 'chat', 'knowledge', 'widget', 'takeover'];
  return steps.map((step, index) => ({ step, isDone: results[index]?.data === true }));
}

type Query = NonNullable<Parameters<typeof listConversations>[0]>['query'];

async function hasConversation(query: Query): Promise<boolean> {
  const { data } = await dataOf(listConversations({ query: { ...query, per_page: 1 }, throwOnError: true }));
  return data.length > 0;
}
