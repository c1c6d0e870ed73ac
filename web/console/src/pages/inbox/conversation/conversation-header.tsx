import { ActionIcon, Button, Menu, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import {
  ArrowLeft,
  Bot,
  Check,
  Download,
  Ellipsis,
  Hand,
  Link2,
  MailOpen,
  PanelRight,
  Tag,
} from 'lucide-react';
import type { ConversationItemResponse } from '#client/types.gen.js';
import type { Ref } from 'react';
import { useIsAllowed } from '../../../session/rights.js';
import { useCopy } from '../../../components/actions/use-copy.js';
import { useTexts } from '../../../texts/texts.js';
import { useErrorText } from '../../../texts/use-error-text.js';
import { useFormat } from '../../../texts/use-format.js';
import classes from '../inbox.module.css';
import { AssigneeSelect } from './assignee-select.js';
import { lazyNamed } from '../../../components/states/lazy-named.js';
import { customerName } from '../../../components/customer-name.js';

const TagsDialog = lazyNamed(async () => (await import('./tags-dialog.js')).TagsDialog);

interface Props {
  readonly conversation: ConversationItemResponse;
  readonly headingRef: Ref<HTMLHeadingElement>;
  readonly isBusy: boolean;
  readonly onBack: () => void;
  readonly onDetails: () => void;
  readonly toggle: () => void;
  readonly close: () => void;
  readonly unread: () => void;
}

export function ConversationHeader(props: Props) {
  const t = useTexts('inbox');
  const { conversation, isBusy, toggle, close } = props;
  const mayChat = useIsAllowed('chat');
  return (
    <header className={classes.header}>
      <ActionIcon className={classes.back} aria-label={t.back} onClick={props.onBack}>
        <ArrowLeft size={18} />
      </ActionIcon>
      <div className={classes.headerName}>
        <Title order={2} lineClamp={1} ref={props.headingRef} tabIndex={-1}>
          {customerName(conversation, t.visitor)}
        </Title>
        <div className={classes.headerFacts}>
          <Text size="xs" c="dimmed" truncate>
            {conversation.assistant_name ?? t.details.deleted}
          </Text>
          <AssigneeSelect conversation={conversation} />
        </div>
      </div>
      {mayChat && conversation.ended_at === null && (
        <>
          <Button
            variant="default"
            size="xs"
            disabled={isBusy}
            leftSection={conversation.ai_enabled ? <Hand size={15} /> : <Bot size={15} />}
            onClick={toggle}
          >
            {conversation.ai_enabled ? t.actions.takeOver : t.actions.handBack}
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={isBusy}
            leftSection={<Check size={15} />}
            onClick={close}
            className={classes.wideOnly}
          >
            {t.actions.close}
          </Button>
        </>
      )}
      <MoreActions {...props} />
    </header>
  );
}

function MoreActions({ conversation, close, unread, onDetails }: Props) {
  const t = useTexts('inbox');
  const { actions, tags } = useTexts('common');
  const [isTagging, tagging] = useDisclosure(false);
  const { copy } = useCopy();
  const download = useDownload(conversation);
  const copyLink = async () => {
    const isCopied = await copy(globalThis.location.href);
    notifications.show(
      isCopied ? { message: actions.copied, color: 'green' } : { message: actions.copyFailed, color: 'red' },
    );
  };
  const mayChat = useIsAllowed('chat');
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon size={30} aria-label={t.actions.more}>
            <Ellipsis size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayChat && conversation.ended_at === null && (
            <Menu.Item leftSection={<Check size={16} />} onClick={close}>
              {t.actions.close}
            </Menu.Item>
          )}
          {mayChat && (
            <Menu.Item leftSection={<MailOpen size={16} />} onClick={unread}>
              {t.actions.unread}
            </Menu.Item>
          )}
          {mayChat && (
            <Menu.Item leftSection={<Tag size={16} />} onClick={tagging.open}>
              {tags.title}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<Link2 size={16} />} onClick={() => void copyLink()}>
            {t.actions.copyLink}
          </Menu.Item>
          <Menu.Item leftSection={<Download size={16} />} onClick={() => download.mutate()}>
            {t.actions.download}
          </Menu.Item>
          <Menu.Item leftSection={<PanelRight size={16} />} onClick={onDetails} className={classes.wideOnly}>
            {t.actions.details}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isTagging && <TagsDialog conversation={conversation} onClose={tagging.close} />}
    </>
  );
}

/** The messages as a text file. */
function useDownload(conversation: ConversationItemResponse) {
  const t = useTexts('inbox');
  const { dateTime } = useFormat();
  const errorText = useErrorText();
  return useMutation({
    mutationFn: async () => {
      const { exportConversation } = await import('../export-conversation.js');
      const customer = customerName(conversation, t.visitor);
      await exportConversation(conversation, {
        title: customer,
        customer,
        ai: conversation.assistant_name ?? t.ai,
        person: t.person,
        omitted: t.omitted,
        dateTime,
      });
    },
    onError: (error) => notifications.show({ message: errorText(error), color: 'red' }),
  });
}
