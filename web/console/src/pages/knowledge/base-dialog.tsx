import { Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CreateKnowledgebaseRequestSchema } from '#client/rules.gen.js';
import { createKnowledgebase, updateKnowledgebase } from '#client/sdk.gen.js';
import type { CreateKnowledgebaseRequest, KnowledgebaseResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { SchemaDialogForm } from '../../forms/dialog-form.js';
import { AreaField, TextField } from '../../forms/fields.js';
import { useSchemaForm } from '../../forms/schema-form.js';
import { useTexts } from '../../texts/texts.js';

interface Props {
  readonly base?: Pick<KnowledgebaseResponse, 'id' | 'name' | 'description'>;
  readonly onClose: () => void;
}

/** Creates or renames a knowledge base. */
export function BaseDialog({ base, onClose }: Props) {
  const t = useTexts('knowledge');
  const { actions } = useTexts('common');
  const navigate = useNavigate();
  const schemaForm = useSchemaForm(CreateKnowledgebaseRequestSchema, {
    name: base?.name ?? '',
    description: base?.description ?? '',
  });
  const save = useMutation({
    mutationFn: async (body: CreateKnowledgebaseRequest) => {
      if (!base) return (await dataOf(createKnowledgebase, { body })).data.id;
      await dataOf(updateKnowledgebase, { path: { id: base.id }, body });
      return null;
    },
    meta: { changes: [['knowledgebases']] },
    onSuccess: async (madeId) => {
      if (madeId !== null) await navigate({ to: '/knowledge/$id', params: { id: String(madeId) } });
      onClose();
    },
    onError: (error) => void schemaForm.showRefusal(error),
  });
  return (
    <Modal opened onClose={onClose} title={base ? t.edit : t.add}>
      <SchemaDialogForm
        schemaForm={schemaForm}
        texts={t.fields}
        submit={base ? actions.save : actions.create}
        mutation={save}
      >
        <TextField name="name" autoFocus />
        <AreaField name="description" />
      </SchemaDialogForm>
    </Modal>
  );
}
