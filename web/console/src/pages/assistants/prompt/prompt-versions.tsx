import { Badge, Button, Group, Modal, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listAssistantPrompts } from '#client/sdk.gen.js';
import type { AssistantPromptResponse } from '#client/types.gen.js';
import { Dimmed } from '../../../components/dimmed.js';
import { dataOf } from '../../../api/client.js';
import { Loaded } from '../../../components/states/loaded.js';
import { useTexts } from '../../../texts/texts.js';
import { useFormat } from '../../../texts/use-format.js';
import { lineChanges } from './line-changes.js';
import classes from './prompt-versions.module.css';

interface Props {
  readonly assistantId: number;
  /** The text in the editor. */
  readonly prompt: string;
  readonly onUse: (prompt: string) => void;
  readonly onClose: () => void;
}

/** Prompts that were in use, each compared with the one in the editor. */
export function PromptVersions({ assistantId, prompt, onUse, onClose }: Props) {
  const { versions: t } = useTexts('assistants');
  const versions = useQuery({
    queryKey: ['assistants', assistantId, 'prompts'],
    queryFn: async ({ signal }) =>
      (await dataOf(listAssistantPrompts, { path: { id: assistantId }, signal })).data,
    staleTime: 0,
  });
  return (
    <Modal opened onClose={onClose} size="xl" title={t.title}>
      <Loaded query={versions} lines={6}>
        {(all) => <Comparison versions={all} prompt={prompt} onUse={onUse} />}
      </Loaded>
    </Modal>
  );
}

interface ComparisonProps extends Pick<Props, 'prompt' | 'onUse'> {
  readonly versions: readonly AssistantPromptResponse[];
}

function Comparison({ versions, prompt, onUse }: ComparisonProps) {
  const { versions: t } = useTexts('assistants');
  const format = useFormat();
  const [chosenId, setChosen] = useState(versions[0]?.id);
  const chosen = versions.find(({ id }) => id === chosenId);
  return (
    <div className={classes.columns}>
      <ul className={classes.list} aria-label={t.title}>
        {versions.map(({ id, created_at: since, is_current: isCurrent }) => (
          <li key={id}>
            <UnstyledButton
              className={classes.version}
              aria-current={id === chosenId || undefined}
              onClick={() => setChosen(id)}
            >
              <span className="tabular">{format.dateTime(since)}</span>
              {isCurrent && <Badge color="green">{t.current}</Badge>}
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {chosen && (
        <section className={classes.compared} aria-label={t.compared}>
          <Changes before={prompt} after={chosen.system_prompt} />
          <Group justify="flex-end" mt="sm">
            <Button disabled={chosen.system_prompt === prompt} onClick={() => onUse(chosen.system_prompt)}>
              {t.use}
            </Button>
          </Group>
        </section>
      )}
    </div>
  );
}

function Changes({ before, after }: { readonly before: string; readonly after: string }) {
  const { versions: t } = useTexts('assistants');
  return (
    <>
      <Dimmed mb="xs">{before === after ? t.same : t.hint}</Dimmed>
      <div className={classes.text} tabIndex={0} role="group" aria-label={t.compared}>
        {lineChanges(before, after).map(({ kind, text }, index) => (
          <p key={index} data-kind={kind}>
            {kind !== 'same' && <VisuallyHidden>{t[kind]} </VisuallyHidden>}
            {text}
          </p>
        ))}
      </div>
    </>
  );
}
