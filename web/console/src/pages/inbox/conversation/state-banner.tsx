import { Button } from '@mantine/core';
import { Bot, CircleCheck, Hand, Hourglass } from 'lucide-react';
import type { ConversationItemResponse } from '#client/types.gen.js';
import { useIsAllowed } from '../../../session/rights.js';
import { useTexts } from '../../../texts/texts.js';
import { useFormat } from '../../../texts/use-format.js';
import classes from '../inbox.module.css';

interface Props {
  readonly conversation: ConversationItemResponse;
  readonly isBusy: boolean;
  readonly onToggle: () => void;
}

/** Shows who answers the customer, with the button that changes it. */
export function StateBanner({ conversation, isBusy, onToggle }: Props) {
  const t = useTexts('inbox');
  const mayChat = useIsAllowed('chat');
  const { icon: Icon, text, kind } = useBanner(conversation, mayChat);
  const action = {
    ai: t.actions.takeOver,
    person: t.actions.handBack,
    waiting: t.actions.handBack,
    ended: t.actions.reopen,
  }[kind];
  return (
    <div className={classes.banner} data-kind={kind} role="status">
      <Icon size={16} aria-hidden="true" />
      <span>{text}</span>
      {mayChat && (
        <Button size="compact-xs" variant="subtle" color="gray" disabled={isBusy} onClick={onToggle}>
          {action}
        </Button>
      )}
    </div>
  );
}

function useBanner(
  { ended_at, waiting_since, taken_over_at, ai_enabled }: ConversationItemResponse,
  mayChat: boolean,
) {
  const { banner } = useTexts('inbox');
  const { recent } = useFormat();
  if (ended_at) {
    const ended = mayChat ? banner.ended : banner.endedAlone;
    return { kind: 'ended', icon: CircleCheck, text: ended(recent(ended_at)) } as const;
  }
  if (waiting_since) {
    return { kind: 'waiting', icon: Hourglass, text: banner.waiting(recent(waiting_since)) } as const;
  }
  if (taken_over_at)
    return { kind: 'person', icon: Hand, text: banner.person(recent(taken_over_at)) } as const;
  return ai_enabled
    ? ({ kind: 'ai', icon: Bot, text: mayChat ? banner.ai : banner.aiAlone } as const)
    : ({ kind: 'person', icon: Hand, text: banner.person('–') } as const);
}
