import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { openTestConversation, sendMessage } from '#client/sdk.gen.js';
import type { FunctionCallResponse, ReplyResponse } from '#client/types.gen.js';
import { eventsOf } from '#web/shared/server-events.js';
import { dataOf } from '../../../api/client.js';
import type { TestVariables } from './test-variables.js';

export interface TestMessage {
  readonly author: 'you' | 'assistant';
  readonly text: string;
  readonly calls: readonly FunctionCallResponse[];
  /** The connection broke during the answer. */
  readonly isCut: boolean;
}

const said = (author: TestMessage['author'], text: string): TestMessage => ({
  author,
  text,
  calls: [],
  isCut: false,
});

/**
 * A test conversation with an assistant: opened by `start` or the first message, and anew by `restart`, which keeps the
 * variables unless it is given others.
 */
export function useTestChat(assistantId: number, startsAtOnce: boolean) {
  const queries = useQueryClient();
  const [round, setRound] = useState(0);
  const [isStarted, setStarted] = useState(startsAtOnce);
  const [variables, setVariables] = useState<TestVariables>({});
  const [messages, setMessages] = useState<readonly TestMessage[]>([]);
  const [isWriting, setWriting] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  /** Stops the answer that is being written. */
  const writing = useRef<AbortController | null>(null);
  useEffect(() => () => writing.current?.abort(), []);
  const key = ['test-chat', assistantId, round];
  const openingOptions = queryOptions({
    queryKey: key,
    queryFn: async () =>
      (await dataOf(openTestConversation, { body: { assistant_id: assistantId, variables } })).data,
    // Each request opens a new conversation, so this query is never refetched.
    staleTime: 'static',
  });
  const opening = useQuery({ ...openingOptions, enabled: isStarted });
  const start = () => setStarted(true);
  const before = (opening.data?.history ?? []).map(({ role, content }) =>
    said(role === 'user' ? 'you' : 'assistant', content),
  );

  const restart = (given = variables) => {
    // An answer of the old conversation does not belong in the new one.
    writing.current?.abort();
    setWriting(false);
    setVariables(given);
    setMessages([]);
    setProblem(null);
    setRound(round + 1);
    start();
    queries.removeQueries({ queryKey: key });
  };
  /** @returns whether the message was accepted; see `problem` for a failure */
  const send = async (text: string): Promise<boolean> => {
    const { signal } = (writing.current = new AbortController());
    start();
    setProblem(null);
    setWriting(true);
    setMessages((now) => [...now, said('you', text)]);
    try {
      const { conversation_id: uuid } = await queries.ensureQueryData(openingOptions);
      await readAnswer(uuid, text, signal, (answer) =>
        setMessages((now) => [...(now.at(-1)?.author === 'assistant' ? now.slice(0, -1) : now), answer]),
      );
      return true;
    } catch (error) {
      if (signal.aborted) return true;
      setProblem(error);
      setMessages((now) => (now.at(-1)?.author === 'you' ? now.slice(0, -1) : now));
      return false;
    } finally {
      if (!signal.aborted) setWriting(false);
    }
  };
  return { opening, messages: [...before, ...messages], isWriting, problem, isStarted, start, send, restart };
}

/** Streams an answer. A broken answer is marked and not requested again, since it was charged. */
async function readAnswer(
  uuid: string,
  message: string,
  signal: AbortSignal,
  show: (answer: TestMessage) => void,
): Promise<void> {
  let answer = said('assistant', '');
  const put = (change: Partial<TestMessage>) => {
    answer = { ...answer, ...change };
    if (!signal.aborted) show(answer);
  };
  const body = await dataOf(sendMessage, {
    path: { uuid },
    body: { message },
    headers: { Accept: 'text/event-stream' },
    parseAs: 'stream',
    signal,
  });
  let isDone = false;
  try {
    for await (const { name, data } of eventsOf(body as unknown as ReadableStream<Uint8Array>)) {
      if (name === 'token') put({ text: answer.text + (data as { delta: string }).delta });
      if (name === 'restart') put({ text: '' });
      if (name === 'function_call') put({ calls: [...answer.calls, data as FunctionCallResponse] });
      if (name === 'done') {
        const reply = data as ReplyResponse;
        put({ text: reply.message, calls: reply.function_calls });
        isDone = true;
      }
    }
  } finally {
    if (!isDone) put({ isCut: true });
  }
}
