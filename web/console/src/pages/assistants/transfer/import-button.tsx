import { Button, FileButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { createAssistant } from '#client/sdk.gen.js';
import { ApiError } from '../../../api/api-error.js';
import { dataOf } from '../../../api/client.js';
import { useTexts } from '../../../texts/texts.js';
import { useErrorText } from '../../../texts/use-error-text.js';
import { settingsIn } from './assistant-file.js';

/** Makes an assistant of a file that was exported here or elsewhere. */
export function ImportButton() {
  const t = useTexts('assistants').transfer;
  const errorText = useErrorText();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: async (file: File) => {
      const body = await settingsIn(file);
      if (!body) throw new NoAssistantFileError();
      return (await dataOf(createAssistant, { body })).data;
    },
    onSuccess: async ({ id }) => {
      notifications.show({ message: t.imported, color: 'green', autoClose: 12_000 });
      await queries.invalidateQueries({ queryKey: ['assistants'] });
      await navigate({ to: '/assistants/$id', params: { id: String(id) } });
    },
    onError: (error) => {
      const why = error instanceof NoAssistantFileError ? t.noFile : refusalText(error, errorText(error));
      notifications.show({ message: why, color: 'red', autoClose: false });
    },
  });
  return (
    <FileButton accept="application/json,.json" onChange={(file) => file && create.mutate(file)}>
      {(props) => (
        <Button {...props} variant="default" leftSection={<Upload size={16} />} loading={create.isPending}>
          {t.import}
        </Button>
      )}
    </FileButton>
  );
}

class NoAssistantFileError extends Error {}

/** With the first field that was refused, of which there may be many. */
function refusalText(error: unknown, text: string): string {
  const [first] = error instanceof ApiError ? Object.entries(error.fields) : [];
  return first ? `${text} ${first[0]}: ${first[1][0] ?? ''}` : text;
}
