import { createContext, useContext } from 'react';

/** Number of waiting conversations, shown in the title of the tab. */
export const BadgeContext = createContext(0);

export function useBadge(): number {
  return useContext(BadgeContext);
}
