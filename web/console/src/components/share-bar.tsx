import classes from './share-bar.module.css';

export interface Share {
  readonly name: string;
  readonly count: number;
  readonly color: 'good' | 'main' | 'warm' | 'quiet' | 'bad' | 'strong';
}

interface Props {
  /** Name of the bar. Its parts are named next to it and in its description. */
  readonly label: string;
  readonly parts: readonly Share[];
  readonly total: number;
  readonly size?: 'small' | 'large';
}

/** Parts of a whole, as a bar. */
export function ShareBar({ label, parts, total, size = 'large' }: Props) {
  const shown = parts.filter(({ count }) => count > 0);
  let from = 0;
  const description = parts.map(({ name, count }) => `${name}: ${count}`).join(', ');
  return (
    <svg
      className={classes.bar}
      data-size={size}
      viewBox="0 0 100 1"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label} (${description})`}
    >
      <rect className={classes.rest} width="100" height="1" />
      {shown.map(({ name, count, color }) => {
        const width = (count / Math.max(1, total)) * 100;
        const x = from;
        from += width;
        return <rect key={name} className={classes.part} data-color={color} x={x} width={width} height="1" />;
      })}
    </svg>
  );
}

/** The parts of a bar by name and number. */
export function ShareLegend({
  parts,
  number,
}: {
  parts: readonly Share[];
  number: (count: number) => string;
}) {
  return (
    <ul className={classes.legend}>
      {parts.map(({ name, count, color }) => (
        <li key={name}>
          <span className={classes.dot} data-color={color} />
          <span className={classes.name}>{name}</span>
          <span className={classes.count}>{number(count)}</span>
        </li>
      ))}
    </ul>
  );
}
