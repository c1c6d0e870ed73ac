import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { updateAssistant } from '#client/sdk.gen.js';
import type { AssistantResponse } from '#client/types.gen.js';
import { dataOf } from '../../../api/client.js';
import { firstVoiceOf, voicesQuery } from '../../../catalog/queries.js';
import { type SchemaForm, useIssueText, useSchemaForm, type Values } from '../../../forms/schema-form.js';
import { useTexts } from '../../../texts/texts.js';
import { assistantQuery } from '../queries.js';
import { type Tab, tabOf } from './tabs.js';
import { ASSISTANT, changesBetween, DEFINITIONS, isInMode, mergedValues, valuesOf } from './values.js';

const route = getRouteApi('/shell/assistants/$id');

export interface Editor {
  readonly schemaForm: SchemaForm;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  /** Why it was not saved, beyond what is shown at fields. */
  readonly problem: unknown;
  readonly problemTabs: ReadonlySet<Tab>;
  readonly save: () => void;
}

/** The form of an assistant: what is stored, what has been typed over it, and how it is saved. */
export function useEditor(assistant: AssistantResponse): Editor {
  const t = useTexts('assistants');
  const queries = useQueryClient();
  const navigate = route.useNavigate();
  // Not what the query has: that is read anew at any time, and would take back what is typed.
  const [saved, setSaved] = useState(() => valuesOf(assistant));
  const rules = useModeRules();
  const schemaForm = useSchemaForm(ASSISTANT, saved, { definitions: DEFINITIONS, extra: rules });
  const { form, showRefusal } = schemaForm;
  useFittingVoice(schemaForm, saved);

  const changes = changesBetween(saved, form.values);
  const isDirty = Object.keys(changes).length > 0;
  const showFirst = useCallback(
    (paths: readonly string[]) => {
      const first = paths[0];
      if (first === undefined) return;
      void navigate({ search: { tab: tabOf(first) }, replace: true }).then(() =>
        document.querySelector<HTMLElement>('#content [aria-invalid="true"]')?.focus(),
      );
    },
    [navigate],
  );
  const update = useMutation({
    mutationFn: async (sent: Values) => {
      const body = changesBetween(saved, sent);
      await dataOf(updateAssistant, { path: { id: assistant.id }, body });
      const stored = await queries.fetchQuery({ ...assistantQuery(assistant.id), staleTime: 0 });
      return { sent, stored: valuesOf(stored) };
    },
    meta: { saved: t.editor.saved },
    onSuccess: ({ sent, stored }) => {
      setSaved(stored);
      form.setValues((current) => mergedValues(current, sent, stored));
      void queries.invalidateQueries({ queryKey: ['assistants'], exact: true });
    },
    onError: (error) => showFirst(showRefusal(error)),
  });
  const save = () => {
    const { hasErrors, errors } = form.validate();
    if (hasErrors) showFirst(Object.keys(errors));
    else update.mutate(form.values);
  };
  const paths = Object.keys(form.errors);
  const problemTabs = useMemo(() => new Set(paths.map(tabOf)), [paths.join()]);
  const problem = paths.length === 0 ? update.error : null;
  return { schemaForm, isDirty, isSaving: update.isPending, problem, problemTabs, save };
}

/** What the API asks of fields together. */
function useModeRules() {
  const issueText = useIssueText();
  return (values: Values) => {
    const required = issueText({ kind: 'required' });
    const model = values.mode === 'pipeline' ? 'llm_model_id' : 'multimodal_model_id';
    return {
      ...(values[model] === null && isInMode(model, values.mode) && { [model]: required }),
      ...(values.is_webhook_active === true && values.webhook_url === null && { webhook_url: required }),
    };
  };
}

/**
 * Another engine or language may not have the voice: the first that they have takes its place. With the stored engine and language
 * the stored voice comes back.
 */
function useFittingVoice({ form }: SchemaForm, saved: Values): void {
  const { voices: t } = useTexts('assistants');
  const { mode, language_id: languageId, voice_id: voiceId } = form.values;
  const { voice_id: savedId, synthesizer_provider_id: savedProviderId } = saved;
  const isChanged = mode !== saved.mode || languageId !== saved.language_id;
  const { data: voices } = useQuery({
    ...voicesQuery(mode as AssistantResponse['mode'], languageId as number),
    enabled: isChanged || voiceId !== savedId,
  });
  const { setFieldValue } = form;
  const first = firstVoiceOf(voices);
  const fits = voices?.some(({ id }) => id === voiceId) ?? true;
  const substituteId = useRef<unknown>(null);
  useEffect(() => {
    const take = (id: unknown, providerId: unknown) => {
      setFieldValue('voice_id', id);
      setFieldValue('synthesizer_provider_id', providerId);
    };
    if (!isChanged) {
      const isSubstitute = voiceId === substituteId.current;
      substituteId.current = null;
      if (voiceId !== savedId && (!fits || isSubstitute)) take(savedId, savedProviderId);
    } else if (!fits && first) {
      substituteId.current = first.id;
      take(first.id, mode === 'multimodal' ? null : first.synthesizer_provider_id);
      notifications.show({ message: t.replaced(first.name), color: 'amber' });
    }
  }, [isChanged, fits, first, mode, voiceId, savedId, savedProviderId, setFieldValue, t]);
}
