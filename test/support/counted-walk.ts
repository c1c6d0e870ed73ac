import type { Locator, Page } from 'playwright-core';

export type WalkInput = 'pointer' | 'keyboard';

/** More stops than any screen has before what is looked for. */
const MOST_STOPS = 120;

/**
 * A person on their way through the console, by pointer or by keyboard alone. It counts what they press; keys by which a text is
 * written, and Tab, count nothing.
 */
export class CountedWalk {
  private presses = 0;
  private readonly startedMs = performance.now();

  constructor(
    readonly page: Page,
    private readonly input: WalkInput,
  ) {}

  get count(): number {
    return this.presses;
  }

  /** Of the browser and the server here, without a person who reads. */
  get seconds(): number {
    return (performance.now() - this.startedMs) / 1_000;
  }

  /** Presses a button, link or field. */
  async press(target: Locator, key = 'Enter'): Promise<void> {
    this.presses++;
    if (this.input === 'pointer') return target.click();
    await this.reach(target);
    await this.page.keyboard.press(key);
  }

  /** Writes into the field that has the focus already: to press it is not needed. */
  async type(field: Locator, text: string): Promise<void> {
    await field.waitFor();
    await this.waitForFocus(field);
    await this.page.keyboard.type(text);
  }

  /** Writes into a field that has to be gone to. */
  async typeInto(field: Locator, text: string): Promise<void> {
    if (this.input === 'pointer') {
      this.presses++;
      await field.click();
    } else await this.reach(field);
    await this.page.keyboard.type(text);
  }

  private async waitForFocus(target: Locator): Promise<void> {
    for (let tries = 0; tries < 100; tries++) {
      if (await isFocused(target)) return;
      await this.page.waitForTimeout(50);
    }
    throw new Error('The field has not received the focus');
  }

  private async reach(target: Locator): Promise<void> {
    await target.waitFor({ state: 'attached' });
    for (let stop = 0; stop < MOST_STOPS; stop++) {
      if (await isFocused(target)) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error('Not reached by Tab');
  }
}

function isFocused(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element.matches(':focus'));
}
