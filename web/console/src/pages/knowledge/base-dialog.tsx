import { Button, Group, Modal, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { CreateKnowledgebaseRequestSchema } from '#client/rules.gen.js';
import { createKnowledgebase, updateKnowledgebase } from '#client/sdk.gen.js';
import type { CreateKnowledgebaseRequest, KnowledgebaseResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { Problem } from '../../components/states/problem.js';
import { AreaField, TextField } from '../../forms/fields.js';
import { SchemaFields, useSchemaForm } from '../../forms/schema-form.js';
import { useTexts } from '../../texts/texts.js';

interface Props {
  readonly base?: Pick<KnowledgebaseResponse, 'id' | 'name' | 'description'>;
  readonly onClose: () => void;
}

/** Creates or renames a knowledge base. */
export function BaseDialog({ base, onClose }: Props) {
  const t = useTexts('knowledge');
  const { actions } = useTexts('common');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const schemaForm = useSchemaForm(CreateKnowledgebaseRequestSchema, {
    name: base?.name ?? '',
    description: base?.description ?? '',
  });
  const { form } = schemaForm;
  const save = useMutation({
    mutationFn: async (body: CreateKnowledgebaseRequest) => {
      if (!base) return (await dataOf(createKnowledgebase, { body })).data.id;
      await dataOf(updateKnowledgebase, { path: { id: base.id }, body });
      return null;
    },
    onSuccess: async (madeId) => {
      await queries.invalidateQueries({ queryKey: ['knowledgebases'] });
      if (madeId !== null) await navigate({ to: '/knowledge/$id', params: { id: String(madeId) } });
      onClose();
    },
    onError: (error) => void schemaForm.showRefusal(error),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!form.validate().hasErrors) save.mutate(form.values as unknown as CreateKnowledgebaseRequest);
  };
  return (
    <Modal opened onClose={onClose} title={base ? t.edit : t.add}>
      <SchemaFields schemaForm={schemaForm} texts={t.fields}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <TextField name="name" autoFocus />
            <AreaField name="description" />
            {save.error && Object.keys(form.errors).length === 0 && <Problem error={save.error} />}
          </Stack>
          <Group justify="flex-end" mt="lg">
            <Button type="submit" loading={save.isPending}>
              {base ? actions.save : actions.create}
            </Button>
          </Group>
        </form>
      </SchemaFields>
    </Modal>
  );
}
