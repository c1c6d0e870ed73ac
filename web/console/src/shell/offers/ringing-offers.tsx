import { VisuallyHidden } from '@mantine/core';
import { Ticking } from '../../components/ticking.js';
import { useTexts } from '../../texts/texts.js';
import { OfferCard } from './offer-card.js';
import type { Offer } from './offers-query.js';
import classes from './offers.module.css';
import { useAnswer } from './use-answer.js';
import { useOfferNotifications } from './use-offer-notifications.js';

/** Each offer with its briefing. A screen reader hears of each once; the seconds that pass are not read out. */
export function RingingOffers({ offers }: { readonly offers: readonly Offer[] }) {
  const t = useTexts('offers');
  const answer = useAnswer();
  useOfferNotifications(offers);
  const newest = offers.at(-1);
  return (
    <section className={classes.place} aria-label={t.title}>
      <VisuallyHidden role="alert">
        {newest && t.spoken(newest.customer_phone ?? t.visitor, newest.assistant_name, newest.briefing)}
      </VisuallyHidden>
      <Ticking>
        {offers.map((offer) => (
          <OfferCard key={offer.id} offer={offer} answer={answer} />
        ))}
      </Ticking>
    </section>
  );
}
