import type { InboundFiguresResponse } from '#client/types.gen.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';

type Figures = Pick<InboundFiguresResponse, 'waited' | 'abandoned' | 'abandoned_share'>;

/** Waits of callers as people read them; a dash where no one waited. */
export function useWaitWords() {
  const { waits: t } = useTexts('analytics').inbound;
  const format = useFormat();
  const duration = (ms: number | null) => (ms === null ? '–' : format.duration(ms / 1_000));
  return ({ waited, abandoned, abandoned_share: share }: Figures) => ({
    count: format.number(waited.count),
    median: duration(waited.p50_ms),
    p95: duration(waited.p95_ms),
    abandoned:
      share === null ? '–' : t.share(format.number(abandoned), format.number(Math.round(share * 100))),
  });
}
