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

const ICONS = { ai: Bot, person: Hand, waiting: Hourglass, ended: CircleCheck };

/** Shows who answers the customer, with the button that changes it. The page announces changes. */
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
    <div className={classes.banner} data-kind={kind}>
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

type BannerState = 'ai' | 'person' | 'waiting' | 'ended';

export function stateOf(conversation: ConversationItemResponse): BannerState {
  const { ended_at, waiting_since, taken_over_at, ai_enabled } = conversation;
  if (ended_at) return 'ended';
  if (waiting_since) return 'waiting';
  return taken_over_at || !ai_enabled ? 'person' : 'ai';
}

function useBanner(conversation: ConversationItemResponse, mayChat: boolean) {
  const { banner } = useTexts('inbox');
  const { recent } = useFormat();
  const { ended_at, waiting_since, taken_over_at } = conversation;
  const kind = stateOf(conversation);
  const when = ended_at ?? waiting_since ?? taken_over_at;
  const time = when ? recent(when) : '–';
  const text = {
    ai: mayChat ? banner.ai : banner.aiAlone,
    person: banner.person(time),
    waiting: banner.waiting(time),
    ended: (mayChat ? banner.ended : banner.endedAlone)(time),
  }[kind];
  return { kind, icon: ICONS[kind], text };
}
