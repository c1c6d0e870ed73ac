import { useMutation } from '@tanstack/react-query';
import { exportPersonalData } from '#client/sdk.gen.js';
import { fileOf } from '../../api/client.js';
import { saveFile } from '../../components/actions/save-file.js';
import { useTexts } from '../../texts/texts.js';

/** The last field of an export. A truncated export lacks it. */
const END = /"complete":true\}\s*$/;
const END_LENGTH = 32;

/** Downloads the data of a number. A truncated export is discarded. */
export function useExport() {
  const t = useTexts('privacy').person;
  return useMutation({
    mutationFn: async (phoneNumber: string) => {
      const file = await fileOf(exportPersonalData, { body: { phone_number: phoneNumber } });
      if (!END.test(await file.slice(-END_LENGTH).text())) throw new Error('an export that was cut off');
      saveFile(file, `${t.fileName}-${phoneNumber.replaceAll(/\D/g, '')}.json`);
    },
    meta: { saved: t.exported },
  });
}
