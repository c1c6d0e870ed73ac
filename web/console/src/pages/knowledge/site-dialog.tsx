import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { CreateDocumentRequestSchema } from '#client/rules.gen.js';
import { createDocument } from '#client/sdk.gen.js';
import type { CreateDocumentRequest } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { Problem } from '../../components/states/problem.js';
import { NumberField, TextField } from '../../forms/fields.js';
import type { Schema } from '../../forms/rules.js';
import { SchemaFields, useSchemaForm } from '../../forms/schema-form.js';
import { useTexts } from '../../texts/texts.js';

const PAGES = 10;
/** Adds a website. Its URL is also its name. */
const SITE: Schema = { ...CreateDocumentRequestSchema, required: ['url'] };

export function SiteDialog({ baseId, onClose }: { readonly baseId: number; readonly onClose: () => void }) {
  const t = useTexts('knowledge');
  const queries = useQueryClient();
  const schemaForm = useSchemaForm(SITE, { url: '', relative_links_limit: PAGES });
  const { form } = schemaForm;
  const add = useMutation({
    mutationFn: () => {
      const { url, relative_links_limit: limit } = form.values as Pick<
        CreateDocumentRequest,
        'relative_links_limit'
      > & { url: string };
      const body: CreateDocumentRequest = {
        name: nameOf(url),
        type: 'website',
        url,
        ...(limit && { relative_links_limit: limit }),
      };
      return dataOf(createDocument, { path: { knowledgebaseId: baseId }, body });
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['documents', baseId] });
      onClose();
    },
    onError: (error) => void schemaForm.showRefusal(error),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!form.validate().hasErrors) add.mutate();
  };
  return (
    <Modal opened onClose={onClose} title={t.site.title}>
      <SchemaFields schemaForm={schemaForm} texts={t.fields}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <Text size="sm" c="dimmed">
              {t.site.hint}
            </Text>
            <TextField name="url" type="url" autoFocus />
            <NumberField name="relative_links_limit" />
            {add.error && Object.keys(form.errors).length === 0 && <Problem error={add.error} />}
          </Stack>
          <Group justify="flex-end" mt="lg">
            <Button type="submit" loading={add.isPending}>
              {t.site.submit}
            </Button>
          </Group>
        </form>
      </SchemaFields>
    </Modal>
  );
}

function nameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host.slice(0, 255) : url.slice(0, 255);
}
