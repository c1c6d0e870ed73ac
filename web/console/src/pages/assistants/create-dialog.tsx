import '@mantine/core/styles/SimpleGrid.layer.css';
import { Modal, Select, SimpleGrid, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createAssistant } from '#client/sdk.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import { firstVoiceOf, modelsQuery, useSpokenLanguages, voicesQuery } from '../../catalog/queries.js';
import { DialogForm } from '../../forms/dialog-form.js';
import { useLanguage, useTexts } from '../../texts/texts.js';
import { useFieldErrors } from '../../texts/use-error-text.js';
import classes from './create-dialog.module.css';

const TEMPLATES = ['reception', 'sales', 'support', 'blank'] as const;
type Template = (typeof TEMPLATES)[number];

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** The least that is needed for a first conversation; the rest is in the editor. */
export function CreateDialog({ opened, onClose }: Props) {
  const t = useTexts('assistants');
  return (
    <Modal opened={opened} onClose={onClose} title={t.create.title} size="lg">
      <CreateForm />
    </Modal>
  );
}

function CreateForm() {
  const t = useTexts('assistants');
  const { language: shown } = useLanguage();
  const languages = useSpokenLanguages() ?? [];
  const [name, setName] = useState('');
  const [template, setTemplate] = useState<Template>('reception');
  const [chosen, setChosen] = useState<number | null>(null);
  const fieldErrors = useFieldErrors();
  const languageId = chosen ?? languages.find(({ code }) => code === shown)?.id ?? languages[0]?.id;
  const { create, missing, isReady } = useCreate(languageId);
  const errors = fieldErrors(create.error);
  return (
    <DialogForm
      submit={t.create.submit}
      isDisabled={!isReady || missing !== undefined}
      mutation={create}
      onSubmit={() => create.mutate({ name: name.trim() || t.create.templates[template].name, template })}
    >
      <TextInput
        label={t.fields.name.label}
        placeholder={t.create.templates[template].name}
        value={name}
        error={errors.name}
        maxLength={255}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <div role="group" aria-label={t.create.template}>
        <Text size="sm" fw={500} mb={4}>
          {t.create.template}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {TEMPLATES.map((value) => (
            <UnstyledButton
              key={value}
              className={classes.template}
              aria-pressed={value === template}
              onClick={() => setTemplate(value)}
            >
              <Text fw={500}>{t.create.templates[value].name}</Text>
              <Dimmed>{t.create.templates[value].hint}</Dimmed>
            </UnstyledButton>
          ))}
        </SimpleGrid>
      </div>
      <Select
        label={t.fields.language_id.label}
        data={languages.map(({ id, name: label }) => ({ value: String(id), label }))}
        value={languageId === undefined ? null : String(languageId)}
        searchable
        allowDeselect={false}
        error={missing}
        onChange={(value) => setChosen(value === null ? null : Number(value))}
      />
    </DialogForm>
  );
}

function useCreate(languageId: number | undefined) {
  const t = useTexts('assistants');
  const navigate = useNavigate();
  const voices = useQuery({ ...voicesQuery('pipeline', languageId ?? 0), enabled: languageId !== undefined });
  const models = useQuery(modelsQuery('llm'));
  const create = useMutation({
    mutationFn: async ({ name, template }: { name: string; template: Template }) => {
      const { first, prompt } = t.create.templates[template];
      const body = {
        name,
        type: template === 'sales' ? ('outbound' as const) : ('inbound' as const),
        mode: 'pipeline' as const,
        language_id: languageId ?? 0,
        voice_id: firstVoiceOf(voices.data)?.id ?? 0,
        llm_model_id: models.data?.[0]?.id ?? null,
        timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        initial_message: first,
        system_prompt: prompt,
      };
      return (await dataOf(createAssistant, { body })).data;
    },
    meta: { changes: [['assistants']] },
    onSuccess: ({ id }) =>
      navigate({ to: '/assistants/$id', params: { id: String(id) }, search: { test: true } }),
  });
  const noVoice = voices.data?.length === 0 ? t.create.noVoice : undefined;
  const missing = models.data?.length === 0 ? t.create.noModel : noVoice;
  const isReady = voices.data !== undefined && models.data !== undefined;
  return { create, missing, isReady };
}
