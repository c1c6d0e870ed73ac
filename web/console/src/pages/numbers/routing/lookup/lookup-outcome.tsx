import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { LookupAnswerResponse, TestedLookupResponse } from '#client/types.gen.js';
import { assistantsQuery } from '#web/console/src/catalog/queries.js';
import { Facts, factsOf } from '#web/console/src/components/facts.jsx';
import { useTexts } from '#web/console/src/texts/texts.jsx';
import { useLookupWords } from './lookup-words.js';
import classes from '../routing.module.css';

/** What the server answered in a test, and how fast. */
export function LookupOutcome({ lookup }: { readonly lookup: TestedLookupResponse }) {
  const { lookup: t } = useTexts('numberRouting');
  const words = useLookupWords();
  return (
    <div className={classes.outcome}>
      <Title order={3}>{t.title}</Title>
      <Facts
        facts={[
          [t.result, words.result(lookup)],
          ...(lookup.http_status === null ? [] : [[t.httpStatus, lookup.http_status] as const]),
          [t.wait, words.wait(lookup)],
        ]}
      />
      {lookup.answer && <Answer answer={lookup.answer} />}
    </div>
  );
}

function Answer({ answer }: { readonly answer: LookupAnswerResponse }) {
  const { lookup: t } = useTexts('numberRouting');
  const { data: assistants = [] } = useQuery(assistantsQuery);
  const { action, assistant_id: id, phone_number: phone, initial_message: greeting, variables } = answer;
  const name = assistants.find((each) => each.id === id)?.name ?? `#${id}`;
  const facts = [
    ...(action === null ? [] : [[t.answer.action, t.answer.actions[action]] as const]),
    ...(id === null ? [] : [[t.answer.assistant, name] as const]),
    ...(phone === null ? [] : [[t.answer.phoneNumber, phone] as const]),
    ...(greeting === null ? [] : [[t.answer.greeting, greeting] as const]),
  ];
  const values = factsOf(variables);
  return (
    <>
      {facts.length > 0 && <Facts facts={facts} />}
      {values.length > 0 && (
        <>
          <Title order={4}>{t.answer.variables}</Title>
          <Facts facts={values} />
        </>
      )}
    </>
  );
}
