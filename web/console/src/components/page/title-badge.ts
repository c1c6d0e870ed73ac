import { createContext, useContext } from 'react';

/** How many things wait for a person; shown in the title of the tab. */
export const BadgeContext = createContext(0);

export function useBadge(): number {
  return useContext(BadgeContext);
}
