import { Icon } from '../icons';

/** Shown before the first message. */
export function Introduction({ title, text }: { title: string; text: string }) {
  return (
    <div class="introduction">
      <span class="avatar large">
        <Icon name="spark" />
      </span>
      <strong>{title}</strong>
      <p>{text}</p>
    </div>
  );
}

/** Placeholder until the messages are loaded. */
export function Loading({ text }: { text: string }) {
  return (
    <div class="loading" role="img" aria-label={text}>
      <i />
      <i />
      <i />
    </div>
  );
}
