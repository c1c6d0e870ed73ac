import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { exportPersonalData } from '../../../../../clients/typescript/src/sdk.gen.js';
import { saveFile } from '../../components/actions/save-file.js';
import { useTexts } from '../../texts/texts.js';

/** The last field of an export; one that was cut off lacks it. */
const END = /"complete":true\}\s*$/;
const END_LENGTH = 32;

/** Brings what is held about a number onto the disk. A part of it is no export, and is not kept. */
export function useExport() {
  const t = useTexts('privacy').person;
  return useMutation({
    mutationFn: async (phoneNumber: string) => {
      const { data } = await exportPersonalData({
        body: { phone_number: phoneNumber },
        parseAs: 'blob',
        throwOnError: true,
      });
      const file: unknown = data;
      if (!(file instanceof Blob)) throw new Error('an export that is no file');
      if (!END.test(await file.slice(-END_LENGTH).text())) throw new Error('an export that was cut off');
      saveFile(file, `${t.fileName}-${phoneNumber.replaceAll(/\D/g, '')}.json`);
    },
    onSuccess: () => notifications.show({ message: t.exported, color: 'green' }),
  });
}
