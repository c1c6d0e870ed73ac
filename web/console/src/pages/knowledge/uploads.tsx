import { Button, Group, Loader, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formDataBodySerializer } from '#client/core/bodySerializer.gen.js';
import { createDocument } from '#client/sdk.gen.js';
import { Dimmed } from '../../components/dimmed.js';
import { dataOf } from '../../api/client.js';
import { FileDrop } from '../../components/inputs/file-drop.js';
import { useTexts } from '../../texts/texts.js';
import { useErrorText } from '../../texts/use-error-text.js';
import classes from './knowledge.module.css';

const TYPES = ['pdf', 'docx', 'txt'] as const;
type FileType = (typeof TYPES)[number];

interface Upload {
  readonly key: string;
  readonly file: File;
  /** Undefined during the upload. */
  readonly error: unknown;
}

/** Running and failed uploads. Finished ones move to the documents. */
export function Uploads({ baseId }: { readonly baseId: number }) {
  const t = useTexts('knowledge');
  const { uploads, add, retry, dismiss } = useUploads(baseId);
  return (
    <>
      <FileDrop
        accept={TYPES.map((type) => `.${type}`).join(',')}
        multiple
        title={t.drop}
        hint={t.dropHint}
        action={t.choose}
        onFiles={add}
      />
      {uploads.length > 0 && (
        <ul className={classes.uploads} aria-label={t.uploads}>
          {uploads.map((upload) => (
            <UploadRow
              key={upload.key}
              upload={upload}
              onRetry={() => retry(upload)}
              onDismiss={() => dismiss(upload.key)}
            />
          ))}
        </ul>
      )}
    </>
  );
}

function UploadRow({
  upload: { file, error },
  onRetry,
  onDismiss,
}: {
  readonly upload: Upload;
  readonly onRetry: () => void;
  readonly onDismiss: () => void;
}) {
  const t = useTexts('knowledge');
  const { actions } = useTexts('common');
  const errorText = useErrorText();
  const isForeign = typeOf(file) === undefined;
  return (
    <li className={classes.upload}>
      <div className={classes.name}>
        <Text fw={500}>{file.name}</Text>
        {error !== undefined && (
          <Text size="sm" c="red" role="alert">
            {isForeign ? t.notAccepted : errorText(error)}
          </Text>
        )}
      </div>
      {error === undefined ? (
        <Group gap="xs">
          <Loader size={16} />
          <Dimmed>{t.uploading}</Dimmed>
        </Group>
      ) : (
        <Group gap="xs" wrap="nowrap">
          {!isForeign && (
            <Button variant="default" size="xs" onClick={onRetry}>
              {actions.retry}
            </Button>
          )}
          <Button variant="subtle" color="gray" size="xs" onClick={onDismiss}>
            {t.dismiss}
          </Button>
        </Group>
      )}
    </li>
  );
}

function useUploads(baseId: number) {
  const queries = useQueryClient();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const dismiss = (key: string) => setUploads((now) => now.filter((upload) => upload.key !== key));
  const mark = (key: string, error: unknown) =>
    setUploads((now) => now.map((upload) => (upload.key === key ? { ...upload, error } : upload)));
  const send = async ({ key, file }: Upload) => {
    const type = typeOf(file);
    if (!type) return mark(key, null);
    try {
      await dataOf(createDocument, {
        ...formDataBodySerializer,
        path: { knowledgebaseId: baseId },
        body: { name: file.name.slice(0, 255), type, file }, // The browser sets it, with the boundary of the form.
        headers: { 'Content-Type': null },
      });
      dismiss(key);
      await queries.invalidateQueries({ queryKey: ['documents', baseId] });
      await queries.invalidateQueries({ queryKey: ['knowledgebases'] });
    } catch (error) {
      mark(key, error);
    }
  };
  const add = (files: readonly File[]) => {
    const begun = files.map((file, at) => ({ key: `${Date.now()}-${at}`, file, error: undefined }));
    setUploads((now) => [...now, ...begun]);
    for (const upload of begun) void send(upload);
  };
  const retry = (upload: Upload) => {
    mark(upload.key, undefined);
    void send(upload);
  };
  return { uploads, add, retry, dismiss };
}

function typeOf({ name }: File): FileType | undefined {
  return TYPES.find((type) => name.toLowerCase().endsWith(`.${type}`));
}
