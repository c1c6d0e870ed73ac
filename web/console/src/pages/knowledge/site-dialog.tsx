import { Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CreateDocumentRequestSchema } from '#client/rules.gen.js';
import { createDocument } from '#client/sdk.gen.js';
import type { CreateDocumentRequest } from '#client/types.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import { SchemaDialogForm } from '../../forms/dialog-form.js';
import { NumberField, TextField } from '../../forms/fields.js';
import type { Schema } from '../../forms/rules.js';
import { useSchemaForm } from '../../forms/schema-form.js';
import { useTexts } from '../../texts/texts.js';

const PAGES = 10;
/** Adds a website. Its URL is also its name. */
const SITE: Schema = { ...CreateDocumentRequestSchema, required: ['url'] };

type SiteValues = Pick<CreateDocumentRequest, 'relative_links_limit'> & { readonly url: string };

export function SiteDialog({ baseId, onClose }: { readonly baseId: number; readonly onClose: () => void }) {
  const t = useTexts('knowledge');
  const schemaForm = useSchemaForm(SITE, { url: '', relative_links_limit: PAGES });
  const add = useMutation({
    mutationFn: ({ url, relative_links_limit: limit }: SiteValues) => {
      const body: CreateDocumentRequest = {
        name: nameOf(url),
        type: 'website',
        url,
        ...(limit && { relative_links_limit: limit }),
      };
      return dataOf(createDocument, { path: { knowledgebaseId: baseId }, body });
    },
    meta: { changes: [['documents', baseId]] },
    onSuccess: onClose,
    onError: (error) => void schemaForm.showRefusal(error),
  });
  return (
    <Modal opened onClose={onClose} title={t.site.title}>
      <SchemaDialogForm schemaForm={schemaForm} texts={t.fields} submit={t.site.submit} mutation={add}>
        <Dimmed>{t.site.hint}</Dimmed>
        <TextField name="url" type="url" autoFocus />
        <NumberField name="relative_links_limit" />
      </SchemaDialogForm>
    </Modal>
  );
}

function nameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host.slice(0, 255) : url.slice(0, 255);
}
