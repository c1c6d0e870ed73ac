import { Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { searchKnowledgebase } from '#client/sdk.gen.js';
import type { PassageResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { Form } from '../../components/inputs/form.js';
import { Panel } from '../../components/page/panel.js';
import { Problem } from '../../components/states/problem.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';
import classes from './knowledge.module.css';

const MAX_LENGTH = 1_000;

/** Shows which passages an assistant would get for a question. */
export function TryQuestion({ baseId }: { readonly baseId: number }) {
  const { tryIt: t } = useTexts('knowledge');
  const [question, setQuestion] = useState('');
  const search = useMutation({
    mutationFn: async (query: string) =>
      (await dataOf(searchKnowledgebase, { path: { id: baseId }, body: { query } })).data,
  });
  const submit = () => {
    if (question.trim() !== '') search.mutate(question);
  };
  return (
    <Panel title={t.title} subtitle={t.text}>
      <Form onSubmit={submit} className={classes.question}>
        <TextInput
          aria-label={t.question}
          placeholder={t.placeholder}
          value={question}
          maxLength={MAX_LENGTH}
          onChange={(event) => setQuestion(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" leftSection={<Search size={16} />} loading={search.isPending}>
          {t.ask}
        </Button>
      </Form>
      {search.error && <Problem error={search.error} />}
      <div aria-live="polite">{search.data && <Passages passages={search.data} />}</div>
    </Panel>
  );
}

function Passages({ passages }: { readonly passages: readonly PassageResponse[] }) {
  const { tryIt: t } = useTexts('knowledge');
  if (passages.length === 0) {
    return (
      <Text c="dimmed" mt="md">
        {t.nothing}
      </Text>
    );
  }
  return (
    <ol className={classes.passages} aria-label={t.passages}>
      {passages.map((passage, index) => (
        <Passage key={index} passage={passage} rank={index + 1} />
      ))}
    </ol>
  );
}

function Passage({ passage, rank }: { readonly passage: PassageResponse; readonly rank: number }) {
  const { tryIt: t } = useTexts('knowledge');
  const format = useFormat();
  const { text, source, url, page } = passage;
  return (
    <li className={classes.passage}>
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Text size="sm" fw={600} className={classes.name}>
          {source}
          {page !== null && (
            <Text component="span" size="sm" c="dimmed" fw={400}>
              {' '}
              {t.page(format.number(page))}
            </Text>
          )}
        </Text>
        <Text size="xs" c="dimmed" className="tabular" title={t.rankHint}>
          {t.rank(format.number(rank))}
        </Text>
      </Group>
      {url !== null && (
        <Text size="xs" c="dimmed" className={classes.name}>
          {url}
        </Text>
      )}
      <p className={classes.words}>{text}</p>
    </li>
  );
}
