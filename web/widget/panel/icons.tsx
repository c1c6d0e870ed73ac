const PATHS = {
  send: 'M12 19V5m-6 6 6-6 6 6',
  close: 'M6 6l12 12M18 6 6 18',
  fresh:
    'M11 5H6a2 2 0 0 0-2 2v11a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2v-5M18.4 3.6a2.1 2.1 0 0 1 3 3L12.5 15.5l-4 1 1-4z',
  down: 'M12 5v14m6-6-6 6-6-6',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8m-7 8a7 7 0 0 1 14 0',
  spark: 'M12 3c.8 5 3.2 7.6 8 9-4.8 1.4-7.2 4-8 9-.8-5-3.2-7.6-8-9 4.8-1.4 7.2-4 8-9z',
  alert: 'M12 8v5m0 3.5v.1M12 3 2.5 20h19z',
  microphone: 'M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3zM5 11a7 7 0 0 0 14 0m-7 7v3',
  muted:
    'M9 5.5A3 3 0 0 1 15 6v4m-1 3.2A3 3 0 0 1 9 11V9m-4 2a7 7 0 0 0 10.5 6M19 11a7 7 0 0 1-.7 3M12 18v3M4 3l16 18',
  phone: 'M6 3h3l2 5-2.5 1.5a11 11 0 0 0 6 6L16 13l5 2v3a3 3 0 0 1-3 3A15 15 0 0 1 3 6a3 3 0 0 1 3-3z',
} as const;

/** A decorative icon, hidden from screen readers: its button or text has the name. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" class={`icon-${name}`}>
      <path d={PATHS[name]} />
    </svg>
  );
}
