import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CopyPlus, Download } from 'lucide-react';
import { copyAssistant } from '#client/sdk.gen.js';
import type { AssistantResponse } from '#client/types.gen.js';
import { dataOf } from '../../../api/client.js';
import { saveFile } from '../../../components/actions/save-file.js';
import { useTexts } from '../../../texts/texts.js';
import { useErrorText } from '../../../texts/use-error-text.js';
import { fileOf } from './assistant-file.js';

const MAX_NAME = 255;

/** Items of a menu that copy an assistant: within the account, and into a file. */
export function CopyItems({ assistant }: { readonly assistant: AssistantResponse }) {
  const t = useTexts('assistants').transfer;
  const errorText = useErrorText();
  const navigate = useNavigate();
  const { id } = assistant;
  const copy = useMutation({
    mutationFn: () => {
      const name = t.copyOf(assistant.name).slice(0, MAX_NAME);
      return dataOf(copyAssistant, { path: { id }, body: { name } });
    },
    meta: { saved: t.copied, changes: [['assistants']] },
    onSuccess: ({ data }) => navigate({ to: '/assistants/$id', params: { id: String(data.id) } }),
    onError: (error) => notifications.show({ message: errorText(error), color: 'red' }),
  });
  const fileName = `${assistant.name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60) || 'assistant'}.json`;
  return (
    <>
      <Menu.Item leftSection={<CopyPlus size={16} />} disabled={copy.isPending} onClick={() => copy.mutate()}>
        {t.copy}
      </Menu.Item>
      <Menu.Item leftSection={<Download size={16} />} onClick={() => saveFile(fileOf(assistant), fileName)}>
        {t.export}
      </Menu.Item>
    </>
  );
}
