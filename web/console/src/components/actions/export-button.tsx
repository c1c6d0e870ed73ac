import { Button, type ButtonProps } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useTexts } from '../../texts/texts.js';
import { useErrorText } from '../../texts/use-error-text.js';
import { saveFile } from './save-file.js';

interface Props {
  /** Replaces the default label. */
  readonly label?: string;
  readonly size?: ButtonProps['size'];
  readonly fileName: string;
  readonly load: () => Promise<Blob>;
}

/** Downloads a file from the API, and shows the reason if that fails. */
export function ExportButton({ label, size, fileName, load }: Props) {
  const { actions } = useTexts('common');
  const errorText = useErrorText();
  const download = useMutation({
    mutationFn: async () => saveFile(await load(), fileName),
    onError: (error) => notifications.show({ message: errorText(error), color: 'red', autoClose: false }),
  });
  return (
    <Button
      variant="default"
      {...(size && { size })}
      leftSection={<Download size={16} />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {label ?? actions.export}
    </Button>
  );
}
