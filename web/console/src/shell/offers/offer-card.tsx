import { Button, Text, Title } from '@mantine/core';
import { Phone, PhoneOff } from 'lucide-react';
import { Dimmed } from '../../components/dimmed.js';
import { useNow } from '../../components/ticking.js';
import { useTexts } from '../../texts/texts.js';
import type { Offer } from './offers-query.js';
import classes from './offers.module.css';
import type { Answer } from './use-answer.js';

const SECOND_MS = 1_000;

interface Props {
  readonly offer: Offer;
  readonly answer: Answer;
}

/** One call that rings: who it is, why, and for how long it can be accepted. */
export function OfferCard({ offer, answer }: Props) {
  const t = useTexts('offers');
  const customer = offer.customer_phone ?? t.visitor;
  const seconds = Math.max(Math.ceil((Date.parse(offer.expires_at) - useNow()) / SECOND_MS), 0);
  const isOpen = answer.openId === offer.id;
  return (
    <article className={classes.card} aria-labelledby={`offer-${offer.id}`}>
      <header className={classes.head}>
        <Title order={2} size="h4" id={`offer-${offer.id}`}>
          {t.from(customer)}
        </Title>
        <Text component="span" size="sm" c="dimmed" className="tabular">
          {t.left(seconds)}
        </Text>
      </header>
      <Dimmed>{t.by(offer.assistant_name)}</Dimmed>
      <p className={classes.briefing}>{offer.briefing || t.noBriefing}</p>
      <div className={classes.buttons}>
        <Button
          leftSection={<Phone size={16} />}
          loading={isOpen && answer.kind === 'accept'}
          disabled={answer.openId !== null}
          onClick={() => answer.accept(offer)}
        >
          {t.accept}
        </Button>
        <Button
          variant="default"
          leftSection={<PhoneOff size={16} />}
          loading={isOpen && answer.kind === 'decline'}
          disabled={answer.openId !== null}
          onClick={() => answer.decline(offer)}
        >
          {t.decline}
        </Button>
      </div>
    </article>
  );
}
