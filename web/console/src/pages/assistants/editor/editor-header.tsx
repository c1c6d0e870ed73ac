import { Anchor, Button, Group, Menu, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronLeft, MessageSquare, Mic } from 'lucide-react';
import { deleteAssistant, updateAssistant } from '#client/sdk.gen.js';
import type { AssistantResponse } from '#client/types.gen.js';
import { dataOf } from '../../../api/client.js';
import { DeleteMenu } from '../../../components/actions/delete-menu.js';
import { useLeaveDeleted } from '../../../components/actions/use-leave-deleted.js';
import { IfAllowed } from '../../../components/if-allowed.js';
import { Problem } from '../../../components/states/problem.js';
import { useTexts } from '../../../texts/texts.js';
import { useErrorText } from '../../../texts/use-error-text.js';
import { Estimate } from '../estimate/estimate.js';
import classes from './editor.module.css';
import { StatusBadge } from '../status-badge.js';
import { CopyItems } from '../transfer/copy-items.js';
import type { Editor } from './use-editor.js';

interface Props {
  readonly assistant: AssistantResponse;
  readonly editor: Editor;
  readonly onTest: () => void;
}

export function EditorHeader({ assistant, editor, onTest }: Props) {
  const t = useTexts('assistants').editor;
  const { unsaved } = useTexts('forms');
  return (
    <div>
      <Anchor component={Link} to="/assistants" size="sm" c="dimmed" className={classes.back}>
        <ChevronLeft size={15} aria-hidden="true" />
        {t.back}
      </Anchor>
      <div className={classes.heading}>
        <Group gap="sm" wrap="nowrap" className={classes.name}>
          <Title order={1} className={classes.title}>
            {assistant.name}
          </Title>
          <StatusBadge assistant={assistant} />
        </Group>
        <Group gap="sm">
          {editor.isDirty && <span className={classes.unsaved}>{unsaved}</span>}
          <IfAllowed scope="chat">
            <Button
              variant="default"
              className={classes.testButton ?? ''}
              leftSection={<MessageSquare size={16} />}
              onClick={onTest}
            >
              {t.test}
            </Button>
          </IfAllowed>
          <IfAllowed scope="admin">
            <ActivateButton assistant={assistant} />
            <Button onClick={editor.save} loading={editor.isSaving} disabled={!editor.isDirty}>
              {t.save}
            </Button>
            <MoreMenu assistant={assistant} />
          </IfAllowed>
        </Group>
      </div>
      <Estimate assistant={assistant} />
      {editor.problem !== null && editor.problem !== undefined && <Problem error={editor.problem} />}
    </div>
  );
}

function ActivateButton({ assistant: { id, status } }: Pick<Props, 'assistant'>) {
  const t = useTexts('assistants').editor;
  const errorText = useErrorText();
  const isActive = status === 'active';
  const change = useMutation({
    mutationFn: () =>
      dataOf(updateAssistant, { path: { id }, body: { status: isActive ? 'inactive' : 'active' } }),
    meta: { changes: [['assistants']] },
    onError: (error) => notifications.show({ message: errorText(error), color: 'red' }),
  });
  return (
    <Button
      variant="default"
      title={isActive ? t.deactivateHint : t.activateHint}
      loading={change.isPending}
      onClick={() => change.mutate()}
    >
      {isActive ? t.deactivate : t.activate}
    </Button>
  );
}

function MoreMenu({ assistant }: Pick<Props, 'assistant'>) {
  const { id, uuid, name } = assistant;
  const t = useTexts('assistants').editor;
  const leave = useLeaveDeleted('/assistants', ['assistants'], ['assistants', id]);
  return (
    <DeleteMenu
      label={t.more}
      title={t.deleteTitle(name)}
      text={t.deleteText}
      action={t.delete}
      remove={() => dataOf(deleteAssistant, { path: { id } })}
      onDone={leave}
    >
      <Menu.Item
        component="a"
        href={`/talk/${uuid}`}
        target="_blank"
        rel="noopener"
        leftSection={<Mic size={16} />}
      >
        {t.talk}
      </Menu.Item>
      <CopyItems assistant={assistant} />
      <Menu.Divider />
    </DeleteMenu>
  );
}
