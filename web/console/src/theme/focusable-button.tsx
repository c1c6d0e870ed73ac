import type { ComponentProps, MouseEvent } from 'react';

interface Props extends ComponentProps<'button'> {
  readonly 'data-loading'?: boolean;
}

/**
 * The element of every button. One that is disabled or works keeps the focus, which would fall to the page, and does nothing
 * when it is pressed.
 */
export function FocusableButton({ disabled, onClick, type, ...props }: Props) {
  const isInert = disabled === true || props['data-loading'] === true;
  const refuse = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <button
      {...props}
      type={type === 'submit' ? 'submit' : 'button'}
      aria-disabled={isInert || undefined}
      onClick={isInert ? refuse : onClick}
    />
  );
}
