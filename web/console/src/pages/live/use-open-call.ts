import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useIsAllowed } from '../../session/rights.js';
import { linkId } from './list/use-live-keys.js';

const route = getRouteApi('/shell/live');

interface OpenCall {
  readonly openId: number | undefined;
  /** Null where the person may not listen. */
  readonly listen: ((id: number) => void) | null;
  readonly close: () => void;
}

/** The call that the address of the page names. When its desk is closed, the focus goes back to it in the list. */
export function useOpenCall(): OpenCall {
  const isAllowed = useIsAllowed('calls');
  const { call } = route.useSearch();
  const navigate = useNavigate();
  const openId = isAllowed ? call : undefined;
  const before = useRef(openId);
  useEffect(() => {
    if (before.current !== undefined && openId === undefined)
      document.getElementById(linkId(before.current))?.focus();
    before.current = openId;
  }, [openId]);
  const show = (id: number | undefined) =>
    void navigate({ to: '/live', search: { call: id }, replace: true });
  return { openId, listen: isAllowed ? show : null, close: () => show(undefined) };
}
