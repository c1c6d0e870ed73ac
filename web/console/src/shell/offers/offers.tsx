import { useQuery } from '@tanstack/react-query';
import { lazyNamed } from '../../components/states/lazy-named.js';
import { useIsAllowed } from '../../session/rights.js';
import { offersQuery } from './offers-query.js';

const RingingOffers = lazyNamed(async () => (await import('./ringing-offers.js')).RingingOffers);

/** Calls that assistants offer to the person, over any page. */
export function Offers() {
  const isAllowed = useIsAllowed('calls');
  const { data } = useQuery({ ...offersQuery, enabled: isAllowed });
  return isAllowed && data && data.length > 0 ? <RingingOffers offers={data} /> : null;
}
