import { ActionIcon, Button, Modal, Select, TextInput, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { FolderPlus, Pencil } from 'lucide-react';
import { useState } from 'react';
import { createFolder, deleteFolder, updateFolder } from '#client/sdk.gen.js';
import { CreateFolderRequestSchema } from '#client/rules.gen.js';
import type { FolderResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { IfAllowed } from '../../components/if-allowed.js';
import { Problem } from '../../components/states/problem.js';
import { DialogForm } from '../../forms/dialog-form.js';
import { useTexts } from '../../texts/texts.js';
import { useFieldErrors } from '../../texts/use-error-text.js';
import classes from './folders.module.css';
import { foldersQuery } from './queries.js';

const route = getRouteApi('/shell/assistants');

type Color = FolderResponse['color'];
const COLORS = CreateFolderRequestSchema.properties.color.enum.filter((color) => color !== null);

export function Folders({ chosen, total }: { readonly chosen: number | undefined; readonly total: number }) {
  const t = useTexts('assistants').folders;
  const { data: folders = [] } = useQuery(foldersQuery);
  const [edited, setEdited] = useState<FolderResponse | 'new' | null>(null);
  const current = folders.find(({ id }) => id === chosen);
  return (
    <nav className={classes.folders} aria-label={t.label}>
      <Choice isChosen={chosen === undefined} count={total} name={t.all} folder={undefined} color={null} />
      {folders.map(({ id, name, color, assistants_count: count }) => (
        <Choice key={id} isChosen={id === chosen} count={count} name={name} folder={id} color={color} />
      ))}
      <IfAllowed scope="admin">
        {current && (
          <ActionIcon aria-label={t.edit} onClick={() => setEdited(current)}>
            <Pencil size={15} />
          </ActionIcon>
        )}
        <ActionIcon aria-label={t.add} onClick={() => setEdited('new')}>
          <FolderPlus size={17} />
        </ActionIcon>
      </IfAllowed>
      {edited !== null && (
        <FolderDialog folder={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </nav>
  );
}

interface ChoiceProps {
  readonly isChosen: boolean;
  readonly name: string;
  readonly count: number;
  readonly folder: number | undefined;
  readonly color: Color;
}

function Choice({ isChosen, name, count, folder, color }: ChoiceProps) {
  const navigate = route.useNavigate();
  const choose = () =>
    void navigate({ search: ({ q }) => ({ ...(q && { q }), ...(folder !== undefined && { folder }) }) });
  return (
    <UnstyledButton className={classes.folder} aria-pressed={isChosen} onClick={choose}>
      {color && <span className={classes.dot} data-color={color} />}
      <span className={classes.name}>{name}</span>
      <span className={classes.count}>{count}</span>
    </UnstyledButton>
  );
}

interface DialogProps {
  readonly folder: FolderResponse | null;
  readonly onClose: () => void;
}

function FolderDialog({ folder, onClose }: DialogProps) {
  const t = useTexts('assistants').folders;
  const { actions } = useTexts('common');
  const fieldErrors = useFieldErrors();
  const [name, setName] = useState(folder?.name ?? '');
  const [color, setColor] = useState<Color>(folder?.color ?? null);
  const { save, remove } = useFolderChanges(folder, onClose);
  const { name: error } = fieldErrors(save.error);
  return (
    <Modal opened onClose={onClose} title={folder ? t.edit : t.add}>
      <DialogForm
        submit={folder ? actions.save : actions.create}
        mutation={save}
        errors={{ error }}
        onSubmit={() => save.mutate({ name, color })}
        aside={
          folder && (
            <Button
              variant="subtle"
              color="red"
              title={t.deleteText}
              loading={remove.isPending}
              onClick={() => remove.mutate()}
            >
              {t.delete}
            </Button>
          )
        }
      >
        <TextInput
          label={t.name}
          value={name}
          error={error}
          maxLength={255}
          required
          withAsterisk={false}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label={t.color}
          value={color}
          placeholder={t.noColor}
          clearable
          data={COLORS.map((value) => ({ value, label: t.colors[value] }))}
          onChange={(value) => setColor(value)}
        />
        {remove.error && <Problem error={remove.error} />}
      </DialogForm>
    </Modal>
  );
}

function useFolderChanges(folder: FolderResponse | null, onDone: () => void) {
  const navigate = route.useNavigate();
  const save = useMutation({
    mutationFn: (body: { name: string; color: Color }): Promise<unknown> =>
      folder ? dataOf(updateFolder, { path: { id: folder.id }, body }) : dataOf(createFolder, { body }),
    meta: { changes: [['folders']] },
    onSuccess: onDone,
  });
  const remove = useMutation({
    mutationFn: () => dataOf(deleteFolder, { path: { id: folder?.id ?? 0 } }),
    meta: { changes: [['folders'], ['assistants']] },
    onSuccess: async () => {
      await navigate({ search: ({ q }) => (q ? { q } : {}) });
      onDone();
    },
  });
  return { save, remove };
}
