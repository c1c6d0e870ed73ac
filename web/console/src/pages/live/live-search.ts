export interface LiveSearch {
  /** The call that the person listens to. */
  readonly call?: number | undefined;
}

export function liveSearchFrom({ call }: Record<string, unknown>): LiveSearch {
  const id = Number(call);
  return Number.isSafeInteger(id) && id > 0 ? { call: id } : {};
}
